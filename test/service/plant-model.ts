import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Starts the model that the sample `plant-help` asks, which knows of cacti alone and refuses everything else. */
export async function startPlantModel() {
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request))
    const isKnown = messages.at(-1).content.includes('cactus')
    const message = { role: 'assistant', content: 'A little, every three weeks.' }
    const answer = isKnown ? { choices: [{ index: 0, message }] } : { error: { message: 'Nothing of that.' } }
    response
      .writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    account: { id: 'plant-model', type: 'openai', data: { apiKey: 'sk-1', baseUrl } },
    close: () => server.close(),
  }
}
