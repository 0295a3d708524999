// A text with numbered lines, some of which are marked.

export class Editor {
  #lines = 0;
  #marks = [];

  constructor({ text, numbers, marks }) {
    Object.assign(this, { field: text, numbers, marks });
    text.addEventListener('scroll', () => this.#scroll());
    text.addEventListener('input', () => this.#count());
    this.#count();
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    const { field } = this;
    const hasFocus = document.activeElement === field;
    field.value = text;
    // Empties the list of edits to undo: they would put parts of the text before into this one.
    field.replaceWith(field);
    if (hasFocus) field.focus({ preventScroll: true });
    field.setSelectionRange(0, 0);
    field.scrollTo(0, 0);
    this.mark([]);
    this.#count();
  }

  /** Marks the lines of places; each has the first character, the one after the last, and a class. */
  mark(places) {
    this.#marks = places.map(([from, to, name]) => {
      const first = this.lineOf(from);
      return { first, count: this.lineOf(Math.max(from, to - 1)) - first + 1, name };
    });
    const mark = ({ name }) => Object.assign(document.createElement('div'), { className: name });
    this.marks.replaceChildren(...this.#marks.map(mark));
    this.#scroll();
  }

  /** Scrolls to a place, so that its line and its character are in view. */
  reveal(at) {
    const { field } = this;
    const [top, left] = [(this.lineOf(at) - 1) * this.#height, this.#left(at)];
    if (top < field.scrollTop || top + 2 * this.#height > field.scrollTop + field.clientHeight) {
      field.scrollTop = Math.max(0, top - field.clientHeight / 3);
    }
    if (left < field.scrollLeft || left + 2 * this.#height > field.scrollLeft + field.clientWidth) {
      field.scrollLeft = Math.max(0, left - field.clientWidth / 3);
    }
  }

  /** Puts the cursor at a place. */
  go(at) {
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(at, at);
    this.reveal(at);
  }

  /** Returns the number of the line of a character. */
  lineOf(at) {
    let line = 1;
    for (let end = this.text.indexOf('\n'); end >= 0 && end < at; end = this.text.indexOf('\n', end + 1)) line++;
    return line;
  }

  // The height of a line.
  get #height() {
    return Number.parseFloat(getComputedStyle(this.field).lineHeight);
  }

  // The distance of a character from the start of its line.
  #left(at) {
    const line = this.text.slice(this.text.lastIndexOf('\n', at - 1) + 1, at);
    const ruler = Object.assign(document.createElement('pre'), { className: 'ruler', textContent: line });
    this.field.after(ruler);
    const { width } = ruler.getBoundingClientRect();
    ruler.remove();
    return width;
  }

  #count() {
    const lines = this.text.split('\n').length;
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.numbers.textContent = Array.from({ length: lines }, (_, line) => line + 1).join('\n');
    this.#scroll();
  }

  #scroll() {
    const [{ scrollTop }, height] = [this.field, this.#height];
    this.numbers.style.translate = `0 ${-scrollTop}px`;
    const bars = [...this.marks.children];
    this.#marks.forEach(({ first, count }, place) => {
      Object.assign(bars[place].style, { translate: `0 ${(first - 1) * height - scrollTop}px`, height: `${count * height}px` });
    });
  }
}
