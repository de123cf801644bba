//! The least that a client can do: a request as bytes on a connection that stays open, and the reply read to its length. It
//! understands nothing of either.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Makes so many calls one after the other on a connection of its own; returns how many bytes came back.
pub async fn calls(port: u16, prompt: &str, count: usize) -> usize {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("a server that listens");
    stream.set_nodelay(true).expect("an option of TCP");
    let body = format!(r#"{{"model":"timed","messages":[{{"role":"user","content":"{prompt}"}}],"max_tokens":100}}"#);
    let mut read = vec![0; 1 << 16];
    let mut bytes = 0;
    for _ in 0..count {
        let head = format!(
            "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).await.expect("a server that reads");
        bytes += reply(&mut stream, &mut read).await;
    }
    bytes
}

async fn reply(stream: &mut TcpStream, read: &mut [u8]) -> usize {
    let mut head: Vec<u8> = Vec::new();
    let end = loop {
        let count = stream.read(read).await.expect("a server that answers");
        assert!(count > 0, "the server stays");
        head.extend_from_slice(&read[..count]);
        if let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let lines = String::from_utf8_lossy(&head[..end]).into_owned();
    let length = lines.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a reply with a length");
    let mut left = length.parse::<usize>().expect("a length is a number") - (head.len() - end);
    while left > 0 {
        left -= stream.read(read).await.expect("a whole reply").min(left);
    }
    end + length.len()
}
