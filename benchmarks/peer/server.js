// The smallest honest server to compare with: node's own http and better-sqlite3, and no rules at all.
// It opens tables, shows them, and takes actions: JSON in and out like cuberails, (table, seq) unique, synchronous FULL,
// and an action is on the disk before it is acknowledged. Usage: node server.js PORT FILE
import http from "node:http"
import { randomBytes } from "node:crypto"
import Database from "better-sqlite3"

const [port, file] = process.argv.slice(2)
const db = new Database(file)
db.pragma("journal_mode = WAL")
db.pragma("synchronous = FULL")
db.exec("CREATE TABLE entries (id TEXT, seq INTEGER, seat INTEGER, action TEXT, PRIMARY KEY (id, seq)) WITHOUT ROWID")
const insert = db.prepare("INSERT INTO entries VALUES (?, ?, ?, ?)")
const tables = new Map()
const legal = Array.from({ length: 40 }, (_, n) => `bid ${n + 1}`)

function view(id, table) {
  return {
    id,
    title: "wabash",
    seq: table.seq,
    seats: ["Ann", "Bob"],
    mine: [0, 1],
    prompt: "Bid, or pass",
    scores: [0, 0],
    legal,
    status: { actor: table.seq % 2, over: false, winners: [], thinking: false, bots: ["", ""], asked: null },
  }
}

function answer(response, status, body) {
  const text = JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  response.end(text)
}

function act(id, table, person, body, response) {
  const { seat, seq, action } = JSON.parse(body)
  if (person !== table.person) return answer(response, 401, { error: "not_your_seat" })
  if (seq !== table.seq) return answer(response, 409, { error: "stale" })
  if (seat !== table.seq % 2) return answer(response, 403, { error: "out_of_turn" })
  if (!legal.includes(action)) return answer(response, 422, { error: "illegal" })
  insert.run(id, seq + 1, seat, action) // a transaction of its own: node waits for the disk here
  table.seq += 1
  answer(response, 200, view(id, table))
}

function handle(request, response, body) {
  const [, , , id, deed] = request.url.split("/")
  if (request.method === "POST" && id === undefined) {
    const made = { id: randomBytes(9).toString("base64url"), person: randomBytes(24).toString("base64url") }
    tables.set(made.id, { seq: 0, person: made.person })
    return answer(response, 201, made)
  }
  const table = tables.get(id)
  if (!table) return answer(response, 404, { error: "no_table" })
  const person = /cuberails_person=([^;]+)/.exec(request.headers.cookie ?? "")?.[1]
  if (request.method === "POST" && deed === "act") return act(id, table, person, body, response)
  answer(response, 200, view(id, table))
}

http
  .createServer((request, response) => {
    if (request.url === "/health") return answer(response, 200, "ok")
    let body = ""
    request.on("data", (part) => (body += part))
    request.on("end", () => handle(request, response, body))
  })
  .listen(Number(port), "127.0.0.1")
