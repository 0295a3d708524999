//! `response::Walker`: it gets everywhere that its limits allow, in the steps that its speed says, and nowhere else.

mod grounds;
mod limits;
mod platforms;
mod play;
mod reach;

#[test]
fn debug() {
    use hitmask::Touch;
    use hitmask::response::Walker;
    let (name, who, speed, touch, from, n) = (
        std::env::var("G").unwrap_or("pixels 1:1".into()),
        std::env::var("P").map_or(2, |p| p.parse().unwrap()),
        std::env::var("S").map_or(0.3, |p| p.parse().unwrap()),
        if std::env::var("I").is_ok() { Touch::Included } else { Touch::Excluded },
        std::env::var("F").map_or(20.0, |p| p.parse::<f64>().unwrap()),
        std::env::var("N").map_or(10, |p| p.parse().unwrap()),
    );
    let (player, shape) = play::players()[who].clone();
    let mut play = play::Play::new(
        touch,
        &shape,
        [from, std::env::var("Y").map_or(80.0, |p| p.parse::<f64>().unwrap())],
        Walker::new(),
    );
    grounds::build(&mut play, &name);
    play.rest();
    println!("{player} {:?}", play.at());
    for k in 0..n {
        let walk = play.step(speed);
        println!(
            "{k} {:?} {:?} {:?} {:?}",
            [walk.at.x, walk.at.y],
            walk.ground.map(|g| g.normal),
            walk.wall.map(|g| g.normal),
            walk.ceiling.map(|g| g.normal)
        );
    }
}

#[test]
fn debug2() {
    use hitmask::response::Walker;
    use hitmask::{Body, Shape, Touch};
    let (player, shape) = play::players()[0].clone();
    let mut play = play::Play::new(Touch::Excluded, &shape, [50.0, 70.0], Walker::new());
    let id =
        play.add(&Shape::rect(100.0, 4.0).unwrap(), |body| Body { at: [0, 80].into(), ..body }.tagged(play::PLANK));
    println!("{player} {:?}", play.rest());
    for k in 0..10 {
        play.put(id, [0.4 * f64::from(k), 80.0 - 0.3 * f64::from(k)]);
        let walk = play.step(0.0);
        println!("{k} {walk:?}");
    }
}
#[test]
fn debug3() {
    use hitmask::response::Walker;
    use hitmask::{Shape, Touch};
    let (player, shape) = play::players()[0].clone();
    let mut play = play::Play::new(Touch::Excluded, &shape, [160.0, -40.0], Walker::new());
    let hill = [[0.0, 100.0], [100.0, 100.0], [200.0, 100.0 - 160.03], [200.0, 140.0], [0.0, 140.0]];
    play.add(&Shape::polygon(&hill).unwrap(), |body| body);
    println!("{player}");
    for k in 0..60 {
        let walk = play.step(0.0);
        println!("{k} {walk:?}");
    }
}
