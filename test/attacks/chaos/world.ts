import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bubble, edge, group, leaving, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { type CuttingProxy, startCuttingProxy } from '../../support/cutting-proxy.ts'
import { freePort } from '../../support/free-port.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres/postgres-server.ts'
import { echoing } from '../../support/providers/echoing.ts'
import { endWithProcess } from './end-with-process.ts'
import { createMember, type Member, untilAnswering } from './member.ts'
import { type Orders, startOrders } from './orders.ts'
import { remindingFlow } from './reminding-flow.ts'

/** Counts what it is told, so that each answer names its place, and orders it elsewhere where there is an address. */
function countingFlow(ordersUrl: string | undefined) {
  const webhook = { url: ordersUrl, method: 'POST', headers: [], body: '{"said":"{{Said}}"}' }
  const order = { id: 'w1', type: 'Webhook', options: { isCustomBody: true, webhook } }
  return wholeDefinition({
    variables: [variable('N', { value: '0' }), variable('Said')],
    groups: [
      group('g1', leaving(textInput('i1', 'vSaid'), 'e1')),
      group(
        'g2',
        setVariable('s1', 'vN', '{{N}} + 1'),
        ...(ordersUrl === undefined ? [] : [order]),
        leaving(bubble('b1', '{{N}}: {{Said}}'), 'e2'),
      ),
    ],
    edges: [edge('e1', 'g2'), edge('e2', 'g1')],
  })
}

/** What processes keep conversations and results in. */
export type Stores = 'PostgreSQL' | 'a folder'

/** The service on several processes behind nginx, with servers of its own. */
export interface World {
  /** Where nginx listens. */
  readonly address: string
  readonly members: readonly Member[]
  readonly postgres: PostgresServer
  /** Between the last process and PostgreSQL. */
  readonly proxy: CuttingProxy
  /** Where turns place orders; undefined where they place none. */
  readonly orders: Orders | undefined
  /** What `/ready` said that was not so. */
  readonly lies: string[]
  close(): Promise<void>
}

/** Has the clock of a process jump by an hour, back and forth: no process may go by its own. */
const wrongClock = `
  const { now } = Date
  let offset = 3_600_000
  setInterval(() => { offset = -offset }, 1500).unref()
  Date.now = () => now() + offset
  Date = new Proxy(Date, {
    construct: (date, args, made) => Reflect.construct(date, args.length > 0 ? args : [date.now()], made),
  })`

const memberCount = 3

export interface WorldOptions {
  /** The build that the processes run. */
  readonly dist: string
  readonly stores?: Stores | undefined
  readonly placesOrders?: boolean | undefined
  /** All clocks are right: receivers of webhooks refuse what was signed at another time. */
  readonly hasRightClocks?: boolean | undefined
  /** Accounts of messengers, and channels by their names. */
  readonly messengers?: { readonly accounts: readonly object[]; readonly channels: object }
}

/** Starts everything. One process owns a folder; servers are shared by three. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { dist, stores = 'PostgreSQL', placesOrders = false, hasRightClocks = false, messengers } = options
  const folder = mkdtempSync(join(tmpdir(), 'chaos-'))
  const orders = placesOrders ? await startOrders() : undefined
  const flows = { counting: countingFlow(orders?.url), reminding: remindingFlow, echoing: echoing() }
  for (const [name, flow] of Object.entries(flows))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(flow))
  const files = messengers && writeMessengers(folder, messengers)
  const postgres = await startPostgres({ isDurable: true })
  endWithProcess(() => void postgres.child.kill('SIGQUIT'))
  const proxy = await startCuttingProxy(postgres.port)
  const proxiedUrl = postgres.url.replace(`:${postgres.port}`, `:${proxy.port}`)
  const length = stores === 'a folder' ? 1 : memberCount
  const ports = await Promise.all(Array.from({ length }, freePort))
  const members = ports.map((port, index) =>
    createMember({
      port,
      // One has a wrong clock, and one a connection that breaks.
      args:
        index === 1 && !hasRightClocks
          ? ['--import', `data:text/javascript,${encodeURIComponent(wrongClock)}`]
          : [],
      dist,
      variables: {
        FLOWS_DIR: folder,
        ...(stores === 'a folder'
          ? { DATA_DIR: join(folder, 'data') }
          : { DATABASE_URL: index === 2 ? proxiedUrl : postgres.url }),
        OUTBOUND_ALLOW: '127.0.0.1',
        ...files,
      },
    }),
  )
  await Promise.all(members.map(({ start }) => start()))
  const port = await freePort()
  const nginx = startNginx(folder, port, ports)
  endWithProcess(() => void nginx.kill())
  await untilAnswering(`http://127.0.0.1:${port}/health`)
  return {
    address: `http://127.0.0.1:${port}`,
    members,
    postgres,
    proxy,
    orders,
    lies: [],
    async close() {
      await Promise.all(members.map(({ kill }) => kill()))
      nginx.kill('SIGQUIT')
      await once(nginx, 'exit')
      proxy.close()
      orders?.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Writes what the service reads of messengers beside the flows, whose names end otherwise. */
function writeMessengers(folder: string, { accounts, channels }: NonNullable<WorldOptions['messengers']>) {
  const fileOf = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 })
    return join(folder, name)
  }
  return { CREDENTIALS_FILE: fileOf('accounts', accounts), CHANNELS_FILE: fileOf('channels', channels) }
}

function startNginx(folder: string, port: number, ports: readonly number[]): ChildProcess {
  const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=1s;`).join(' ')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  // What was sent is never sent to another process by nginx itself: only the client knows whether it may be repeated.
  const text = `
daemon off; pid ${folder}/nginx.pid; error_log /dev/null; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off; ${paths}
  upstream service { ${servers} keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_connect_timeout 1s; proxy_read_timeout 5s;
    }
  }
}`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, text)
  return spawn('nginx', ['-c', file, '-p', folder, '-e', '/dev/null'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
