// Finds the shortest way out of each pair of a kind, with `leave`; what src/host/contact/mod.rs computes on the host.

// needs: fuel, types, view, whole
// expects: SPRITES_OF_PAIR, leave

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(4) var<storage, read> landed: array<u32>;
@group(0) @binding(10) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(11) var<storage, read> details: array<RawDetail>;
@group(0) @binding(13) var<storage, read_write> header: Header;
// No two invocations write the same element, and none reads one that another writes, so plain words are enough.
@group(0) @binding(27) var<storage, read_write> contacts: array<RawContact>;

// The lowest bits of RawContact.state: the way out is being searched for, was found, or is left to the host.
const SOUGHT: u32 = 0u;
const FOUND: u32 = 1u;
const LEFT_TO_HOST: u32 = 2u;

fn is_sought(contact: RawContact) -> bool {
    return (contact.state & 3u) == SOUGHT;
}

// Finds the ways out of every `stride`-th pair from `first` on, while there is fuel. The details must be complete.
fn find_contacts(first: u32, stride: u32) {
    if !pairs_are_whole() || header.pairs > params.detail_room || atomicLoad(&header.undetailed) > 0u {
        return;
    }
    if params.round > 0u && atomicLoad(&header.contacted) == header.pairs {
        return;
    }
    fuel = params.fuel;
    for (var c = first; c < header.pairs; c += stride) {
        let hit = pairs[c];
        let a = view(hit.x);
        let b = view(hit.y);
        if u32(is(a.body, SPRITE)) + u32(is(b.body, SPRITE)) != SPRITES_OF_PAIR {
            continue;
        }
        var contact = RawContact();
        if params.round > 0u {
            contact = contacts[c];
            if !is_sought(contact) {
                continue;
            }
        }
        leave(a, b, details[c].time.x, &contact);
        contacts[c] = contact;
        if !is_sought(contact) {
            atomicAdd(&header.contacted, 1u);
            atomicMax(&header.contact_rounds, params.round);
        }
    }
    // More than half of the fuel is spent, so twice as much work would need another dispatch.
    if params.round == 0u && fuel < params.fuel / 2 {
        atomicMax(&header.contact_rounds, 1u);
    }
    if loops_were_cut(params.sentinel) || endless {
        atomicStore(&header.cut, 1u);
    }
}
