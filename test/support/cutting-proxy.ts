import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server, and breaks what they say to each other. */
export interface CuttingProxy {
  readonly port: number
  /** Passes the next request that contains a text on to the server, and cuts the connection before the answer. */
  cutAfter(text: string): void
  /** Passes nothing on any more; who connects is accepted. */
  hold(): void
  close(): void
}

export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let deadly: string | undefined
  let isHeld = false
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    let isMute = false
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
    client.on('data', (bytes) => {
      if (isHeld) return
      target.write(bytes)
      if (deadly === undefined || !bytes.includes(deadly)) return
      deadly = undefined
      isMute = true
    })
    target.on('data', (bytes) => {
      if (isHeld) return
      if (isMute) client.destroy()
      else client.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cutAfter(text) {
      deadly = text
    },
    hold() {
      isHeld = true
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
