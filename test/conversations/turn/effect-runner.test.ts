import { describe, expect, it } from 'vitest'
import type { EffectExecutor } from '../../../src/conversations/effects/effect-executor.ts'
import { EffectRunner, type EffectRunnerTerms } from '../../../src/conversations/turn/effect-runner.ts'
import { ask, type Effect, type EffectAnswer, type Effects } from '../../../src/engine/model/effects.ts'
import { fixedNow, fixedPorts } from '../../support/fixed-ports.ts'

/** A world whose clock only moves when somebody works, with a count of the times that a turn gave way. */
function createWorld({ turnMs = 100, random = [] as number[] } = {}) {
  let elapsedMs = 0
  const work = (ms: number) => {
    elapsedMs += ms
  }
  const turns = { given: 0, othersWork: 0 }
  const asked: string[] = []
  async function outside<Answer>(what: string, answer: Answer): Promise<Answer> {
    asked.push(what)
    await Promise.resolve()
    work(turns.othersWork)
    return answer
  }
  const ports = fixedPorts({ random })
  const executor: EffectExecutor = {
    perform(effect) {
      switch (effect.type) {
        case 'now':
          return ports.now()
        case 'random':
          return ports.random()
        case 'id':
          return ports.createId('value')
        case 'link':
          return outside(effect.flowId, { refusal: `no ${effect.flowId}` })
        case 'evaluate':
          return outside(`code ${effect.jobs.map(({ body }) => body).join()}`, [
            { ok: true, value: 42, assigned: [] },
          ] as const)
        case 'request':
          return outside(`request ${effect.request.url}`, { kind: 'response', status: 204, text: '' })
        case 'mail':
          return outside(`mail ${effect.mail.to.join()}`, { kind: 'sent', details: {} })
        case 'complete':
          return outside(`question ${effect.completion.blockType}`, { kind: 'no account' })
        case 'callVendor':
          return outside(`vendor ${effect.call.vendor}`, { kind: 'no account' })
        case 'signToken':
          return { kind: 'no account' }
      }
    },
  }
  const world: EffectRunnerTerms = {
    turnMs,
    createExecutor: () => executor,
    ports: {
      elapsed: () => elapsedMs,
      nextTurn: async () => {
        turns.given += 1
        await Promise.resolve()
        work(turns.othersWork)
      },
    },
  }
  return { world, work, turns, asked }
}

const drive = <Result>(effects: Effects<Result>, world: EffectRunnerTerms) =>
  new EffectRunner(world).run(effects)

/** One effect of each kind that takes others to answer. */
const outsideEffects: readonly Effect[] = [
  { type: 'link', flowId: 'other' },
  {
    type: 'evaluate',
    jobs: [{ body: 'return 1', isAsync: false, globals: [], mayAssign: false, mayFetch: false }],
  },
  { type: 'request', request: { method: 'GET', url: 'https://a.example', headers: [], timeoutMs: 1 } },
  {
    type: 'mail',
    mail: { credentialsId: 'default', to: ['a@b.example'], cc: [], bcc: [], attachments: [] },
  },
  { type: 'complete', completion: { blockType: 'openai', credentialsId: undefined, body: {} } },
]

function* askAll(effects: readonly Effect[]): Effects<EffectAnswer[]> {
  const answers: EffectAnswer[] = []
  for (const effect of effects) answers.push(yield* ask(effect))
  return answers
}

/** Works for some time before each breath; tells which breaths were granted. */
function* breathing(work: (ms: number) => void, ms: readonly number[]): Effects<boolean[]> {
  const granted: boolean[] = []
  for (const portion of ms) {
    work(portion)
    granted.push(yield* ask({ type: 'yield' }))
  }
  return granted
}

describe('what a turn asks for', () => {
  it('is answered by the ports, in order', async () => {
    const { world, asked } = createWorld({ random: [0.25, 0.75] })
    const effects = [
      { type: 'now' },
      { type: 'random' },
      { type: 'id' },
      { type: 'link', flowId: 'other' },
      { type: 'random' },
      { type: 'id' },
      { type: 'yield' },
    ] as const
    const answers = [fixedNow, 0.25, 'id-1', { refusal: 'no other' }, 0.75, 'id-2', true]
    expect(await drive(askAll(effects), world)).toEqual(answers)
    expect(asked).toEqual(['other'])
  })

  it('is handed to whoever reaches outside, one after the other', async () => {
    const { world, asked } = createWorld()
    expect(await drive(askAll(outsideEffects), world)).toEqual([
      { refusal: 'no other' },
      [{ ok: true, value: 42, assigned: [] }],
      { kind: 'response', status: 204, text: '' },
      { kind: 'sent', details: {} },
      { kind: 'no account' },
    ])
    expect(asked).toEqual([
      'other',
      'code return 1',
      'request https://a.example',
      'mail a@b.example',
      'question openai',
    ])
  })

  it('is performed by one executor for all of a turn, made when it is first needed', async () => {
    const { world, work } = createWorld()
    const startedAt: number[] = []
    const counted = {
      ...world,
      createExecutor(at: number) {
        startedAt.push(at)
        return world.createExecutor(at)
      },
    }
    const runner = new EffectRunner(counted)
    await runner.run(breathing(work, [3]))
    expect(startedAt).toEqual([])
    await runner.run(askAll([{ type: 'now' }, { type: 'link', flowId: 'other' }]))
    await runner.run(askAll([{ type: 'id' }]))
    expect(startedAt).toEqual([0])
  })

  it('fails the turn when it fails', async () => {
    const { world } = createWorld()
    const away = new Error('away')
    const broken = { ...world, createExecutor: () => ({ perform: () => Promise.reject(away) }) }
    await expect(drive(askAll([{ type: 'link', flowId: 'x' }]), broken)).rejects.toBe(away)
  })

  it('is nothing more once the turn has failed', async () => {
    const failure = new Error('a defect')
    // biome-ignore lint/correctness/useYield: it fails before it asks
    const failing = (function* (): Effects<never> {
      throw failure
    })()
    await expect(async () => drive(failing, createWorld().world)).rejects.toBe(failure)
  })
})

describe('a turn that asks for nothing', () => {
  it('is over before anybody else runs, and makes nothing happen', () => {
    const refuse = () => {
      throw new Error('nothing was to be asked')
    }
    const ports = { ...fixedPorts(), nextTurn: refuse }
    let isOver = false
    // biome-ignore lint/correctness/useYield: it asks for nothing
    const silent = (function* (): Effects<void> {
      isOver = true
    })()
    void drive(silent, { ports, turnMs: 100, createExecutor: refuse })
    expect(isOver).toBe(true)
  })

  it('gives back its result', async () => {
    expect(await drive(askAll([]), createWorld().world)).toEqual([])
  })

  it('is over before anybody else runs when its questions are answered at once, too', () => {
    const { world, work } = createWorld()
    let isOver = false
    const asking = (function* (): Effects<void> {
      yield* askAll([{ type: 'now' }, { type: 'random' }, { type: 'id' }])
      yield* breathing(work, [0, 0.5, 0.4])
      isOver = true
    })()
    void drive(asking, world)
    expect(isOver).toBe(true)
  })
})

describe('a turn that takes its time', () => {
  it('gives way when a slice is used up, and not before', async () => {
    const { world, work, turns } = createWorld()
    const givenAfter: number[] = []
    const noting = (ms: number) => {
      givenAfter.push(turns.given)
      work(ms)
    }
    expect(await drive(breathing(noting, [0.5, 0.5, 0.5, 0.5, 3, 0]), world)).toEqual(Array(6).fill(true))
    expect(givenAfter).toEqual([0, 0, 1, 1, 2, 3])
    expect(turns.given).toBe(3)
  })

  it('is reported when its time is used up', async () => {
    const { world, work } = createWorld({ turnMs: 10 })
    expect(await drive(breathing(work, [4, 4, 2, 1]), world)).toEqual([true, true, true, false])
  })

  it('is reported within a single slice', async () => {
    const { world, work, turns } = createWorld({ turnMs: 10 })
    expect(await drive(breathing(work, [11]), world)).toEqual([false])
    expect(turns.given).toBe(0)
  })

  it('is not charged for the time that others ran while it gave way', async () => {
    const { world, work, turns } = createWorld({ turnMs: 10 })
    turns.othersWork = 1000
    expect(await drive(breathing(work, [4, 4, 2, 1]), world)).toEqual([true, true, true, false])
  })

  it.each(outsideEffects)('is not charged for the time that it waits for others: $type', async (effect) => {
    const { world, work, turns } = createWorld({ turnMs: 10 })
    turns.othersWork = 1000
    const asking = (function* (): Effects<boolean[]> {
      work(6)
      yield* ask(effect)
      return yield* breathing(work, [4, 1])
    })()
    expect(await drive(asking, world)).toEqual([true, false])
  })

  it('hears of every time that others could run', async () => {
    const { world, work } = createWorld({ turnMs: 100 })
    let breaths = 0
    const linking = (function* (): Effects<boolean[]> {
      yield* ask({ type: 'link', flowId: 'other' })
      return yield* breathing(work, [0, 4])
    })()
    await drive(linking, { ...world, onResumed: () => void breaths++ })
    expect(breaths).toBe(2)
  })

  it('has a budget of its own', async () => {
    const { world, work } = createWorld({ turnMs: 10 })
    expect(await drive(breathing(work, [9]), world)).toEqual([true])
    expect(await drive(breathing(work, [9]), world)).toEqual([true])
  })

  it('shares its budget among all that its driver is given', async () => {
    const { world, work } = createWorld({ turnMs: 10 })
    const driver = new EffectRunner(world)
    expect(await driver.run(breathing(work, [9]))).toEqual([true])
    expect(await driver.run(breathing(work, [9]))).toEqual([false])
  })

  it('is known as it is used, without what others used', async () => {
    const { world, work, turns } = createWorld()
    turns.othersWork = 1000
    const driver = new EffectRunner(world)
    expect(driver.usedMs).toBe(0)
    await driver.run(breathing(work, [3, 4]))
    expect(driver.usedMs).toBe(7)
    await driver.run(askAll(outsideEffects))
    work(2)
    expect(driver.usedMs).toBe(9)
  })
})

describe('a turn that takes long while many others do', () => {
  const full = (world: EffectRunnerTerms) => ({ ...world, admitHeavy: () => false })
  const busy = { code: 'SERVICE_UNAVAILABLE' }

  it('is refused at the end of its first slice', async () => {
    const { world, work, turns } = createWorld()
    await expect(async () => drive(breathing(work, [0.5, 0.7]), full(world))).rejects.toMatchObject(busy)
    expect(turns.given).toBe(0)
  })

  it('is not refused when it takes less than a slice', async () => {
    const { world, work } = createWorld()
    expect(await drive(breathing(work, [0.3, 0.3]), full(world))).toEqual([true, true])
  })

  it.each(outsideEffects)('goes on once it has asked for something: $type', async (effect) => {
    const { world, work } = createWorld()
    const asking = (function* (): Effects<boolean[]> {
      yield* ask(effect)
      return yield* breathing(work, [5])
    })()
    expect(await drive(asking, full(world))).toEqual([true])
  })

  it('is admitted once', async () => {
    const { world, work } = createWorld()
    let asked = 0
    await drive(breathing(work, [2, 2, 2]), { ...world, admitHeavy: () => ++asked === 1 })
    expect(asked).toBe(1)
  })
})
