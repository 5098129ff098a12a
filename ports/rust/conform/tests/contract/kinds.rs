//! The table of kinds, held to spec/kinds.json: each row of one is in the other, with equal facts.

use bloomery::kind::{Facts, HashCount};
use bloomery::KINDS;
use bloomery_conform::hex;
use bloomery_conform::json::{self, Value};

fn numbers(values: impl IntoIterator<Item = u64>) -> Value {
    Value::List(values.into_iter().map(number).collect())
}

fn number(n: u64) -> Value {
    Value::Number(n.to_string())
}

fn text(t: &str) -> Value {
    Value::Text(t.to_string())
}

/// A row as the page has it, but for its largest size and its calls.
fn row(f: &Facts) -> Vec<(&'static str, Value)> {
    let k = match f.k {
        HashCount::Between(min, max) => numbers([min.into(), max.into()]),
        HashCount::OfProfile => text("profile"),
        HashCount::None => text("none"),
    };
    let parameters = f.parameters.iter().map(|p| text(p.name)).collect();
    let mut row = vec![
        ("kind", number(f.number.into())),
        ("name", text(f.name)),
        ("hashes", numbers(f.hashes.iter().map(|h| (*h).into()))),
        ("seed", Value::Bool(f.seed)),
        ("profiles", numbers(f.profiles.iter().map(|p| (*p).into()))),
        ("k", k),
        ("units", text(f.units)),
        ("payload", text(f.payload)),
        ("parameters", Value::List(parameters)),
        ("damage", text(f.damage.name())),
        ("sentinels", Value::Bool(f.sentinels)),
        ("keys", Value::Bool(f.keys)),
    ];
    if !f.parameters.is_empty() {
        let sizes = f.parameters.iter().map(|p| p.bytes as u64);
        row.push(("parameter_bytes", numbers(sizes)));
    }
    // Kinds that do not forget have no such member.
    if f.forgets {
        row.push(("forgets", Value::Bool(true)));
    }
    row
}

/// Where a row of the page and ours differ.
fn differences(page: &Value, ours: &Facts) -> Vec<String> {
    let members = match page {
        Value::Object(members) => members,
        _ => return vec!["not an object".to_string()],
    };
    let mut found = Vec::new();
    let ours_has = row(ours);
    for (name, value) in &ours_has {
        if page.get(name) != Some(value) {
            found.push(format!("{} is not {:?}", name, value));
        }
    }
    let limit = ours.limit.map(|(name, most)| (name.to_string(), most));
    let mut limits = Vec::new();
    for (name, value) in members {
        match value {
            Value::Text(t) if name.starts_with("max_") => {
                limits.extend(u64::from_str_radix(t, 16).ok().map(|n| (name.clone(), n)));
            }
            // Kinds of level 2 have all calls of the page, the others none.
            Value::List(calls) if name == "can" => {
                let ours: Vec<_> = ours.can.iter().map(|c| text(c.name())).collect();
                if !ours.is_empty() && ours != *calls {
                    found.push(format!("the calls are {:?}", calls));
                }
            }
            _ if ours_has.iter().any(|(n, _)| n == name) => {}
            _ => {} // for others
        }
    }
    if limits != limit.into_iter().collect::<Vec<_>>() {
        found.push(format!("the largest size is {:?}", limits));
    }
    if page.get("can").is_none() {
        found.push("no calls".to_string());
    }
    found
}

fn page() -> Vec<Value> {
    let text = std::fs::read_to_string(crate::spec().join("kinds.json")).unwrap();
    json::parse(&text).unwrap().rows("kinds").to_vec()
}

#[test]
fn the_table_is_that_of_the_page() {
    let page = page();
    let of_page: Vec<_> = page.iter().map(|row| row.u64("kind").unwrap()).collect();
    let mut of_ours: Vec<_> = KINDS.iter().map(|f| u64::from(f.number)).collect();
    of_ours.sort_unstable();
    assert_eq!(of_page, of_ours);
    for row in &page {
        let number = row.u64("kind").unwrap() as u8;
        let ours = bloomery::facts_of(number).unwrap();
        assert_eq!(differences(row, ours), [""; 0], "kind {}", number);
    }
}

#[test]
fn a_fact_that_differs_is_found() {
    // Each member of each row, changed to something else.
    let mut tried = 0;
    for row in page() {
        let ours = bloomery::facts_of(row.u64("kind").unwrap() as u8).unwrap();
        let members = match &row {
            Value::Object(members) => members.clone(),
            _ => panic!(),
        };
        for i in 0..members.len() {
            let mut other = members.clone();
            other[i].1 = match &members[i].1 {
                Value::Text(t) if members[i].0.starts_with("max_") => text(&format!(
                    "{:x}",
                    hex::number(&format!("{:0>16}", t)).unwrap() - 1
                )),
                Value::Bool(b) => Value::Bool(!b),
                _ if members[i].0 == "can" && ours.can.is_empty() => continue,
                // Sizing and reports: above the levels of this port.
                _ if members[i].0 == "options" || members[i].0 == "fields" => continue,
                _ => Value::List(vec![text("other")]),
            };
            assert!(
                !differences(&Value::Object(other), ours).is_empty(),
                "{}",
                members[i].0
            );
            let mut fewer = members.clone();
            fewer.remove(i);
            let found = differences(&Value::Object(fewer), ours);
            assert!(!found.is_empty(), "{}", members[i].0);
            tried += 1;
        }
    }
    assert!(tried > 60);
}
