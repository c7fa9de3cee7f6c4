import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

// The least that an answer costs: reads the body, parses it, answers the bytes of the file that it is given.

const answer = readFileSync(process.argv[2]!)
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': answer.length }

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    if (text !== '') JSON.parse(text)
    response.writeHead(200, headers).end(answer)
  })
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
