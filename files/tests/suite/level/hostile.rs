//! Files that lie: loops, bombs, paths out of the folder, numbers out of range. Each is an error that names it.

use std::fmt::Write as _;
use std::path::Path;

use hitmask::World;
use hitmask_files::Filter;
use hitmask_files::terrain::{Merge, Solids, Source};
use hitmask_files::{Import, Level, Result};
use proptest::prelude::*;

use super::tmx::{self, Files, Format, files, layer, map, tileset};

/// Reads a map and returns its error.
fn refused(text: impl Into<Vec<u8>>) -> String {
    let error = files(text).read("a.tmx").map(|_| ()).unwrap_err().to_string();
    assert!(error.len() < 2000, "{error}");
    error
}

#[test]
fn paths_out_of_the_folder_are_refused() {
    for (name, problem) in [
        ("../a.tsx", "leaves the folder by `..`"),
        ("art/../../a.tsx", "leaves the folder by `..`"),
        ("/etc/passwd", "is an absolute path"),
        ("C:/a.tsx", "has a colon or a zero in its name"),
        ("..", "leaves the folder by `..`"),
        (".", "is the folder itself"),
    ] {
        let set = format!("<tileset firstgid=\"1\" source=\"{name}\"/>");
        assert_eq!(refused(map(1, 1, &set)), format!("a.tmx: the file \"{name}\" {problem}"));
        let error = refused(map(1, 1, &tileset(1, 16, "").replace("a.png", name)));
        assert!(error.contains(problem), "{error}");
        let object = format!("<objectgroup><object id=\"7\" template=\"{name}\"/></objectgroup>");
        assert!(refused(map(1, 1, &object)).contains(problem));
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let inside = dir.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(dir.path().join("secret.tsx"), "<tileset/>").unwrap();
    std::os::unix::fs::symlink("../secret.tsx", inside.join("a.tsx")).unwrap();
    std::fs::write(inside.join("a.tmx"), map(1, 1, "<tileset firstgid=\"1\" source=\"a.tsx\"/>")).unwrap();
    let error = Level::open(inside.join("a.tmx")).unwrap_err().to_string();
    assert!(error.ends_with("the file \"a.tsx\" is a link to a place outside the folder of the file"), "{error}");
}

#[test]
fn loops_of_references_end() {
    let own = "<tileset firstgid=\"1\" source=\"a.tmx\"/>";
    assert!(refused(map(1, 1, own)).contains("the element is \"map\", where \"tileset\" must be"));
    let object = "<objectgroup><object id=\"7\" template=\"a.tx\"/></objectgroup>";
    let template = "<template><object template=\"a.tx\"/></template>";
    let error = files(map(1, 1, object)).add("a.tx", template).read("a.tmx").unwrap_err().to_string();
    assert_eq!(error, "a.tx: layer \"\": object 7: a template that is an instance of a template");
    // A tile of a template's tileset has a shape that is an instance of the template.
    let template = "<template><tileset firstgid=\"1\" source=\"b.tsx\"/><object gid=\"1\"/></template>";
    let set = "<tileset tilewidth=\"8\" tileheight=\"8\"><tile id=\"0\"><image source=\"a.png\"/>\
        <objectgroup><object id=\"3\" template=\"a.tx\"/></objectgroup></tile></tileset>";
    let looped = files(map(1, 1, object)).add("a.tx", template).add("b.tsx", set);
    let error = looped.read("a.tmx").unwrap_err().to_string();
    assert!(error.contains("refer to each other in a loop"), "{error}");
}

#[test]
fn sizes_that_a_file_claims_are_checked_first() {
    let data = |width: u32, height: u32| {
        let layer = layer("big", 1, 1, &[1], Format::Base64("zlib"));
        let size = format!("width=\"{width}\" height=\"{height}\"");
        map(1, 1, &(tileset(1, 16, "") + &layer.replace("width=\"1\" height=\"1\"", &size)))
    };
    let error = refused(data(1 << 20, 1 << 20));
    assert_eq!(error, "a.tmx: layer \"big\": 1099511627776 cells in all layers; the limit is 16777216");
    assert!(refused(data(u32::MAX, u32::MAX)).contains("cells in all layers"));
    assert_eq!(refused(data(4096, 4096)), "a.tmx: layer \"big\": 1 tiles, where 16777216 must be");
    let set = tileset(1, 4_000_000_000, "");
    assert_eq!(refused(map(1, 1, &set)), "a.tmx: tileset \"set 1\": 4000000000 tiles; its image has space for 16");
    for size in ["tilewidth=\"0\"", "tilewidth=\"8193\"", "tilewidth=\"4294967295\""] {
        let error = refused(map(1, 1, "").replace("tilewidth=\"16\"", size));
        assert!(error.contains("it may be 1 to 8192"), "{error}");
    }
    let far = "<chunk x=\"2147483647\" y=\"-2147483648\" width=\"1\" height=\"1\"><tile gid=\"1\"/></chunk>";
    let far = tileset(1, 16, "") + "<layer name=\"far\"><data>" + far + "</data></layer>";
    let error = refused(map(1, 1, &far).replace("infinite=\"0\"", "infinite=\"1\""));
    assert_eq!(
        error,
        "a.tmx: layer \"far\": chunk 0: the cell 2147483647, -2147483648; columns and rows are -2097152 to 2097152"
    );
}

#[test]
fn compressed_tiles_end_where_they_must() {
    let zeros = vec![0; 1 << 26];
    for compression in ["zlib", "gzip", "zstd"] {
        let bomb = tmx::base64(&tmx::compressed(&zeros, compression));
        let data = format!("<data encoding=\"base64\" compression=\"{compression}\">{bomb}</data>");
        let layer = format!("<layer name=\"bomb\" width=\"2\" height=\"2\">{data}</layer>");
        assert_eq!(
            refused(map(2, 2, &layer)),
            "a.tmx: layer \"bomb\": the compressed tiles have more than the 16 bytes that they must have"
        );
        let cut = data.replace(&bomb, &bomb[..bomb.len() / 8 * 4]);
        let cut = format!("<layer name=\"cut\" width=\"4096\" height=\"4096\">{cut}</layer>");
        assert!(refused(map(2, 2, &cut)).starts_with("a.tmx: layer \"cut\": the compressed tiles are damaged: "));
    }
    let layer = "<layer name=\"a\" width=\"1\" height=\"1\"><data encoding=\"base64\" compression=\"lzma\"/></layer>";
    assert_eq!(refused(map(1, 1, layer)), "a.tmx: layer \"a\": the compression \"lzma\"");
    let layer = layer.replace(" compression=\"lzma\"", "").replace("base64", "hex");
    assert_eq!(refused(map(1, 1, &layer)), "a.tmx: layer \"a\": the encoding \"hex\"");
}

#[test]
fn tiles_that_are_in_no_tileset_are_refused() {
    for gid in [17, 0x1000_0001, 0x0fff_ffff, 0x0fff_0000] {
        let error = refused(map(1, 1, &(tileset(1, 16, "") + &layer("a", 1, 1, &[gid], Format::Csv))));
        let turned = gid & 0x1000_0000 != 0;
        let problem = if turned {
            "a tile that is turned by a hexagonal map".to_owned()
        } else {
            format!("the tile {gid} is in no tileset")
        };
        assert_eq!(error, format!("a.tmx: layer \"a\": cell 0, 0: {problem}"));
    }
    let object = tileset(5, 16, "") + "<objectgroup name=\"o\"><object id=\"3\" gid=\"4\"/></objectgroup>";
    assert_eq!(refused(map(1, 1, &object)), "a.tmx: layer \"o\": object 3: the tile 4 is in no tileset");
}

#[test]
fn numbers_that_are_none_are_refused() {
    for number in ["nan", "inf", "-inf", "1e300", "99999999"] {
        for attribute in ["x", "width", "rotation"] {
            let object = format!("<objectgroup name=\"o\"><object id=\"3\" {attribute}=\"{number}\"/></objectgroup>");
            let error = refused(map(1, 1, &object));
            assert!(error.contains("object 3: the number"), "{error}");
        }
        let layer = format!("<layer name=\"a\" offsetx=\"{number}\" width=\"0\" height=\"0\"/>");
        assert!(refused(map(1, 1, &layer)).contains("layer \"a\": the number"), "{number}");
    }
    let error = refused(map(1, 1, "<layer name=\"a\" width=\"-1\"/>"));
    assert!(error.contains("<layer> in line 2: `width` is \"-1\", not a number that it may be"), "{error}");
    let error = refused(map(1, 1, "<objectgroup><object><polygon points=\"0,0 1\"/></object></objectgroup>"));
    assert!(error.contains("<polygon> in line 2: \"1\" is no point"), "{error}");
    let csv = "<layer name=\"a\" width=\"1\" height=\"1\"><data encoding=\"csv\">x</data></layer>";
    assert!(refused(map(1, 1, csv)).contains("<data> in line 2: \"x\" is no number of a tile"));
}

#[test]
fn deep_nesting_and_swelling_entities_are_errors() {
    let deep = "<group>".repeat(100_000) + &"</group>".repeat(100_000);
    assert!(refused(map(1, 1, &deep)).contains("groups are nested more than 64 deep"));
    let class =
        "<property name=\"a\" type=\"class\"><properties>".repeat(1000) + &"</properties></property>".repeat(1000);
    let class = format!("<properties>{class}</properties>");
    assert!(refused(map(1, 1, &class)).contains("properties are nested more than 64 deep"));
    let layers = "{\"type\":\"group\",\"layers\":[".repeat(100_000);
    assert!(refused(format!("{{\"orientation\":\"orthogonal\",\"layers\":[{layers}")).contains("recursion limit"));
    let mut laughs = String::from("<!DOCTYPE map [<!ENTITY a0 \"ha\">");
    for k in 0..30 {
        write!(laughs, "<!ENTITY a{} \"{}\">", k + 1, format!("&a{k};").repeat(10)).unwrap();
    }
    assert!(files(laughs + "]><map><a>&a30;</a></map>").read("a.tmx").is_err());
}

#[test]
fn entities_of_the_file_and_many_attributes_are_refused_by_name() {
    let whole = map(1, 1, "");
    let with = |inner: &str| refused(whole.replace("<map", &format!("<!DOCTYPE map {inner}><map")));
    let problem = "a.tmx: a document type with an internal subset, which may define entities";
    // Each use of an entity repeats its text.
    assert_eq!(with("[<!ENTITY a \"16\">]"), problem);
    assert_eq!(with("SYSTEM \"a>b\" [<!ATTLIST a b CDATA \"<!--\">]"), problem);
    let typed = whole.replace("<map", "<!DOCTYPE map SYSTEM \"http://mapeditor.org/dtd/1.0/map.dtd\"><map");
    assert!(files(typed).read("a.tmx").is_ok());
    let attributes = |count: usize| (0..count).map(|k| format!(" a{k}='='")).collect::<Vec<_>>().concat();
    assert!(
        files(whole.replace("<map", &format!("<!-- <a{} --><map{}", attributes(900), attributes(249))))
            .read("a.tmx")
            .is_ok()
    );
    for markup in ["<!-->-->", "<?a <!-- ?>", "<![CDATA[<!--]]>", "<a b='<!--'/>"] {
        let many = map(1, 1, &format!("{markup}<a{}/>", attributes(257)));
        assert_eq!(refused(many), "a.tmx: 257 attributes of an element; the limit is 256", "{markup}");
    }
}

#[test]
fn templates_repeat_their_texts_within_a_limit() {
    let object = "<object template=\"a.tx\"/>".repeat(300);
    let object = map(1, 1, &format!("<objectgroup name=\"o\">{object}</objectgroup>"));
    let long = "x".repeat(1 << 20);
    for template in [
        format!("<object name=\"{long}\"/>"),
        format!("<object><text>{long}</text></object>"),
        format!("<object><properties><property name=\"a\" value=\"{long}\"/></properties></object>"),
    ] {
        let read = files(object.clone()).add("a.tx", format!("<template>{template}</template>")).read("a.tmx");
        let error = read.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("bytes of names, texts and properties from templates"), "{error}");
    }
}

#[test]
fn a_tile_without_an_image_has_a_size() {
    for side in [0, 1_u32 << 31, u32::MAX] {
        let set = format!(
            "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"{side}\" tileheight=\"16\"><tile id=\"0\"/></tileset>"
        );
        let error = refused(map(1, 1, &(set + &layer("a", 1, 1, &[1], Format::Csv))));
        assert!(
            error.starts_with("a.tmx: tileset \"a\": a tile or a space") && error.contains("may be 1 to 8192"),
            "{error}"
        );
    }
    // An empty collection of images.
    let set = "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"0\" tileheight=\"0\" columns=\"0\"/>";
    let mut level = files(map(1, 1, &(tileset(1, 16, "") + &set.replace("\"1\"", "\"17\"")))).read("a.tmx").unwrap();
    let solids = Solids::default().source(Source::Boxes);
    level.tilesets[0].tile_size = [u32::MAX, 0];
    let text = map(1, 1, &(tileset(1, 16, "") + &layer("b", 1, 1, &[4], Format::Csv)));
    let mut other = files(text).read("a.tmx").unwrap();
    other.tilesets = level.tilesets;
    for source in [Source::Boxes, Source::Shapes] {
        let added = other.add_to(&mut World::default(), &solids.clone().source(source));
        let error = added.map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("layer \"b\": tileset \"set 1\": tile 3: a tile or a space"), "{error}");
    }
}

#[test]
fn polygons_that_cross_themselves_often_are_refused_by_name() {
    let zigzag = |count: usize| {
        let points = (0..count).map(|k| format!("{},{}", k * 7919 % 8000, k * 6007 % 7001));
        points.collect::<Vec<_>>().join(" ")
    };
    let shape = |count| format!("<object id=\"3\"><polygon points=\"{}\"/></object>", zigzag(count));
    let add = |text: String| {
        let solids = Solids::default().rule(|_| Some(Filter::default()));
        files(text).read("a.tmx").unwrap().add_to(&mut World::default(), &solids).map(|_| ())
    };
    let tile = |count| {
        let tile = format!("<tile id=\"0\"><objectgroup>{}</objectgroup></tile>", shape(count));
        map(1, 1, &(tileset(1, 16, &tile) + &layer("a", 1, 1, &[1], Format::Csv)))
    };
    let object = |count| map(1, 1, &format!("<objectgroup name=\"o\">{}</objectgroup>", shape(count)));
    let error = add(tile(65_000)).unwrap_err().to_string();
    assert!(error.starts_with("layer \"a\": tileset \"set 1\": tile 0: "), "{error}");
    assert!(error.contains("comparisons of edges in a polygon; the limit is"), "{error}");
    let error = add(object(65_000)).unwrap_err().to_string();
    assert!(error.starts_with("layer \"o\": object 3: "), "{error}");
    add(tile(100)).unwrap();
    add(object(100)).unwrap();
    // A ring of many points is as good as any.
    let round = "<objectgroup><object width=\"2000000\" height=\"2000000\"><ellipse/></object></objectgroup>";
    add(map(1, 1, round)).unwrap();
    // Together.
    let many = map(1, 1, &format!("<objectgroup>{}</objectgroup>", shape(900).repeat(100)));
    let error = add(many).unwrap_err().to_string();
    assert!(error.contains("comparisons of edges in all polygons"), "{error}");
}

#[test]
fn stamps_are_counted_as_they_are_made() {
    let shape = "<tile id=\"0\"><objectgroup><object width=\"16\" height=\"16\"/></objectgroup></tile>";
    let text = map(100, 1, &(tileset(1, 16, shape) + &layer("a", 100, 1, &[1; 100], Format::Csv)));
    let level = files(text).read_with(&Import::default().images(false).limit(20), "a.tmx").unwrap();
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = asked.clone();
    let solids = Solids::default().rule(move |_| {
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Some(Filter::default())
    });
    let error = level.add_to(&mut World::default(), &solids).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("words of masks or points of polygons in a layer; the limit is 40"), "{error}");
    assert!(asked.load(std::sync::atomic::Ordering::Relaxed) < 10);
}

#[test]
fn a_long_line_is_drawn_into_one_mask() {
    // A mask for each of 20,000 segments takes a minute.
    let points: Vec<String> = (0..20_000).map(|k| format!("{},{}", k % 2 * 7000 + k / 50, k / 4)).collect();
    let line = format!(
        "<tile id=\"0\"><objectgroup><object><polyline points=\"{}\"/></object></objectgroup></tile>",
        points.join(" ")
    );
    let text = map(1, 1, &(tileset(1, 16, &line) + &layer("a", 1, 1, &[1], Format::Csv)));
    let began = std::time::Instant::now();
    files(text).read("a.tmx").unwrap().add_to(&mut World::default(), &Solids::default()).unwrap();
    assert!(began.elapsed().as_secs() < 15, "{:?}", began.elapsed());
}

#[test]
fn files_that_are_too_large_are_named() {
    let long = " ".repeat((64 << 20) + 1);
    let set = map(1, 1, "<tileset firstgid=\"1\" source=\"a.tsx\"/>");
    let error = files(set).add("a.tsx", long).read("a.tmx").unwrap_err().to_string();
    assert_eq!(error, "a.tsx: 67108865 bytes of text; the limit is 67108864");
    let text = map(1, 1, &(tileset(1, 16, "") + &tileset(17, 16, "").replace("a.png", "b.png")));
    let read = files(text).add("b.png", tmx::png(&tmx::atlas())).read_with(&Import::default().limit(5000), "a.tmx");
    let error = read.map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "b.png: tileset \"set 17\": 8192 pixels in all images; the limit is 5000");
}

#[test]
fn an_image_that_lies_is_refused() {
    let set = tileset(1, 16, "");
    let error = Files::default().add("a.tmx", map(1, 1, &set)).add("a.png", "no image").read("a.tmx").unwrap_err();
    assert_eq!(error.to_string(), "a.png: tileset \"set 1\": not an image in a known format");
    let error = files(map(1, 1, &set)).read_with(&Import::default().limit(4095), "a.tmx").unwrap_err();
    assert_eq!(error.to_string(), "a.png: tileset \"set 1\": 4096 pixels in one image; the limit is 4095");
}

/// A small map with a bit of everything.
fn everything() -> String {
    let shapes = "<tile id=\"1\"><properties><property name=\"a\" type=\"int\" value=\"3\"/></properties><objectgroup>\
        <object id=\"1\" x=\"2\" y=\"3\" width=\"9\" height=\"7\"/><object id=\"2\" x=\"1\"><ellipse/></object>\
        <object id=\"3\"><polygon points=\"0,0 9,1 3,12\"/></object></objectgroup></tile>";
    let gids = [1, 2 | 1 << 31, 3 | 7 << 29, 0, 16, 2 | 1 << 29];
    map(
        3,
        2,
        &(tileset(1, 16, shapes)
            + &layer("a", 3, 2, &gids, Format::Csv)
            + &layer("b", 3, 2, &gids, Format::Base64("zlib"))
            + "<objectgroup name=\"o\" offsetx=\"3\"><object id=\"1\" x=\"5\" y=\"6\" width=\"7\" height=\"8\" \
               rotation=\"30\"><ellipse/></object><object id=\"2\"><polyline points=\"0,0 5,9\"/></object>\
               <object id=\"3\" gid=\"2\" width=\"40\" height=\"20\"/></objectgroup>"),
    )
}

/// Makes bodies of a level in each way.
fn check(level: Result<Level>) {
    let Ok(level) = level else { return };
    for source in [Source::Shapes, Source::Pixels, Source::Boxes] {
        for merge in [Merge::Masks, Merge::Polygons, Merge::None] {
            let mut world = World::default();
            let solids = Solids::default().source(source).merge(merge).rule(|_| Some(Filter::default()));
            match level.add_to(&mut world, &solids) {
                Ok(terrain) => {
                    assert_eq!(terrain.bodies().count(), world.len());
                    terrain.remove_from(&mut world).unwrap();
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            assert!(world.is_empty() && world.shapes().next().is_none());
        }
    }
}

#[test]
#[ignore = "writes fuzz/seeds/level"]
fn write_seeds() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/level");
    std::fs::create_dir_all(&seeds).unwrap();
    std::fs::write(seeds.join("tiled"), everything()).unwrap();
    let template = "<template><tileset firstgid=\"1\" source=\"b\"/><object gid=\"2\" width=\"9\"/></template>";
    let object = tileset(1, 16, "") + "<objectgroup><object id=\"7\" template=\"b\" x=\"5\"/></objectgroup>";
    std::fs::write(seeds.join("template"), [map(1, 1, &object).as_bytes(), &[0], template.as_bytes()].concat())
        .unwrap();
    std::fs::write(seeds.join("json"), super::tiled::RICH_JSON.replace("../", "")).unwrap();
    std::fs::write(seeds.join("ldtk"), super::ldtk::everything()).unwrap();
}

#[test]
fn the_map_that_is_changed_is_valid() {
    let level = files(everything()).read("a.tmx").unwrap();
    assert_eq!(level.layers.len(), 3);
    check(Ok(level));
}

#[test]
fn every_beginning_of_a_map_is_an_error() {
    let text = everything();
    for end in 0..text.len() {
        assert!(files(&text[..end]).read("a.tmx").is_err(), "{end}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn changed_maps_are_read_or_refused(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut text = everything().into_bytes();
        for (at, byte) in edits {
            let at = at.index(text.len());
            text[at] = byte;
        }
        check(files(text).read_with(&Import::default().limit(1 << 16), "a.tmx"));
    }
}
