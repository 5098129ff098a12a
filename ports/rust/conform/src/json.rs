//! As much of JSON as the vectors need: all of it but escapes of characters beyond ASCII.

/// A value; numbers stay text, because some are whole and some are not.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// A member of an object.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Object(members) => members.iter().find(|m| m.0 == name).map(|m| &m.1),
            _ => None,
        }
    }

    /// The elements of a list, or none.
    pub fn list(&self) -> &[Value] {
        match self {
            Value::List(l) => l,
            _ => &[],
        }
    }

    /// All rows: objects in the lists that are members of a file.
    pub fn count_rows(&self) -> u64 {
        let members = match self {
            Value::Object(members) => members.as_slice(),
            _ => &[],
        };
        let lists = members.iter().flat_map(|(_, v)| v.list());
        lists.filter(|v| matches!(v, Value::Object(_))).count() as u64
    }

    /// The elements of a member that is a list.
    pub fn rows(&self, name: &str) -> &[Value] {
        self.get(name).map_or(&[], Value::list)
    }

    /// A member that is text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Text(t) => Some(t),
            _ => None,
        }
    }

    /// A member that is text in hexadecimal: bytes.
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        crate::hex::bytes(self.text(name)?)
    }

    /// A member that is text in hexadecimal: a number.
    pub fn hex(&self, name: &str) -> Option<u64> {
        crate::hex::number(self.text(name)?)
    }

    /// This value as a whole number.
    pub fn whole(&self) -> Option<u64> {
        match self {
            Value::Number(n) => n.parse().ok(),
            _ => None,
        }
    }

    /// A member that is a whole number.
    pub fn u64(&self, name: &str) -> Option<u64> {
        self.get(name)?.whole()
    }

    /// A member that is a real number.
    pub fn f64(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Value::Number(n) => n.parse().ok(),
            _ => None,
        }
    }

    /// A member that is a list of whole numbers.
    pub fn numbers(&self, name: &str) -> Option<Vec<u64>> {
        self.get(name)?.list().iter().map(Value::whole).collect()
    }
}

/// The value of a text.
pub fn parse(text: &str) -> Option<Value> {
    let mut p = Parser {
        rest: text.as_bytes(),
        depth: 0,
    };
    let v = p.value()?;
    p.blanks();
    if p.rest.is_empty() {
        Some(v)
    } else {
        None
    }
}

struct Parser<'a> {
    rest: &'a [u8],
    depth: u32,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        while let Some((b' ' | b'\n' | b'\r' | b'\t', rest)) = self.rest.split_first() {
            self.rest = rest;
        }
    }

    fn take(&mut self, token: &str) -> Option<()> {
        self.blanks();
        self.rest = self.rest.strip_prefix(token.as_bytes())?;
        Some(())
    }

    fn value(&mut self) -> Option<Value> {
        self.blanks();
        match self.rest.first()? {
            b'n' => self.take("null").map(|()| Value::Null),
            b't' => self.take("true").map(|()| Value::Bool(true)),
            b'f' => self.take("false").map(|()| Value::Bool(false)),
            b'"' => self.string().map(Value::Text),
            b'[' => {
                let mut list = Vec::new();
                self.sequence("[", "]", |p| {
                    list.push(p.value()?);
                    Some(())
                })?;
                Some(Value::List(list))
            }
            b'{' => {
                let mut members = Vec::new();
                self.sequence("{", "}", |p| {
                    let name = p.string()?;
                    p.take(":")?;
                    members.push((name, p.value()?));
                    Some(())
                })?;
                Some(Value::Object(members))
            }
            _ => {
                let part = |b: &u8| b.is_ascii_digit() || b"+-.eE".contains(b);
                let end = self.rest.iter().position(|b| !part(b));
                let (number, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                self.rest = rest;
                let number = String::from_utf8(number.to_vec()).ok()?;
                number.parse::<f64>().ok()?;
                Some(Value::Number(number))
            }
        }
    }

    fn sequence(
        &mut self,
        open: &str,
        close: &str,
        mut element: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.depth += 1;
        if self.depth > 64 {
            return None;
        }
        self.take(open)?;
        if self.take(close).is_none() {
            loop {
                element(self)?;
                if self.take(",").is_none() {
                    self.take(close)?;
                    break;
                }
            }
        }
        self.depth -= 1;
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut text = Vec::new();
        loop {
            let (&b, rest) = self.rest.split_first()?;
            self.rest = rest;
            match b {
                b'"' => return String::from_utf8(text).ok(),
                b'\\' => {
                    let (&b, rest) = self.rest.split_first()?;
                    self.rest = rest;
                    text.push(match b {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'r' => b'\r',
                        b'"' | b'\\' | b'/' => b,
                        _ => return None,
                    });
                }
                _ => text.push(b),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_sort() {
        let v = parse(r#" {"a":[1, -2.5e-3 ,true,null],"b":"x\"y","c":{}} "#).unwrap();
        assert_eq!(v.rows("a").len(), 4);
        assert_eq!(v.text("b"), Some("x\"y"));
        assert_eq!(v.get("c"), Some(&Value::Object(Vec::new())));
        for wrong in ["", "{", "[1,]", "[1 2]", "\"a", "{\"a\"}", "1 1", "--"] {
            assert_eq!(parse(wrong), None, "{}", wrong);
        }
    }
}
