import { connect } from 'node:net'

/** A server that lets nobody in says so at once. */
const patienceMs = 500

/**
 * What a server says to whoever connects, instead of waiting to be asked: why it lets nobody in. A client that has written
 * to it meanwhile hears of a broken connection alone. Undefined where it says nothing.
 */
export function refusalOfServer(url: string): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(url)
  // What is said before the encryption begins can't be told from it.
  if (protocol !== 'redis:') return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 6379), timeout: patienceMs })
    let said = ''
    const end = () => {
      socket.destroy()
      resolve(/^-(.*?)\r?\n/.exec(said)?.[1])
    }
    socket.on('data', (bytes) => {
      said += bytes.toString()
    })
    for (const event of ['end', 'error', 'close', 'timeout']) socket.on(event, end)
  })
}
