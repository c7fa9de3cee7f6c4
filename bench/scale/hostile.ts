import { codePlaces, hostileCodes, hostileFlow } from '../../test/faults/hostile-flows.ts'
import type { Json } from '../../test/support/json.ts'
import { bubbleLoop, catastrophicPattern, endlessScript } from '../flows/hostile.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { percentile, rounded } from '../support/figures.ts'
import { timed, watchedRun } from '../support/meanwhile.ts'
import type { PinnedProcess } from '../support/pinned-process.ts'
import { post } from '../support/post.ts'
import { startService } from '../support/service.ts'

const atOnce = 10
const script = codePlaces.find(({ name }) => name === 'a script')!

/** What one piece of hostile code takes, and what it costs everybody else; then as many of it at once. */
export const hostileEach = (count: 1 | typeof atOnce): Measurement => ({
  name: `hostile-code: ${count} at once`,
  async measure({ node }) {
    const flows = hostileCodes.map(({ code }, index) => hostileFlow(script, code, `hostile-${index}`))
    // Code that only the sandbox runs, of somebody who means no harm.
    const harmless = hostileFlow(script, 'new Date(0).getTime() + [1, 2].reduce((a, b) => a + b)', 'harmless')
    const service = await startService([...flows, harmless], { node, isProbed: true, isPinned: false })
    const figuresOf = async (publicId: string) => {
      const turns: number[] = []
      const turn = async () =>
        void turns.push(await timed(() => post(service.address, `/v1/flows/${publicId}/startChat`, {})))
      const watched = await watchedRun(service, () => Promise.all(Array.from({ length: count }, turn)))
      return { 'turn max ms': rounded(percentile(turns, 1)), ...watched }
    }
    await figuresOf('harmless')
    const figures: Record<string, Figures[string]> = { 'no harm': await figuresOf('harmless') }
    for (const [index, { name }] of hostileCodes.entries())
      figures[name] = await figuresOf(`hostile-${index}`)
    await service.stop()
    return figures
  },
})

const drafts = {
  'endless scripts': endlessScript,
  'bubble loops': bubbleLoop,
  'catastrophic patterns': catastrophicPattern,
}

const rounds = 5

/** Ten endless scripts, ten bubble loops and ten catastrophic patterns at once, as drafts of strangers. */
export const hostileTogether: Measurement = {
  name: 'hostile-together: thirty turns at once',
  async measure({ node }) {
    const service = await startService([], { node, isProbed: true, isPinned: false })
    await sendDraft(service, bubbleLoop(-1))
    const nothing = () => new Promise((resolve) => setTimeout(resolve, 3000))
    const figures: Record<string, Figures[string]> = { 'nothing for 3 s': await watchedRun(service, nothing) }
    let index = 0
    for (let round = 1; round <= rounds; round++) {
      const turns: Record<string, number[]> = {}
      const all = async () => {
        const running = Object.entries(drafts).flatMap(([kind, draft]) =>
          Array.from({ length: atOnce }, async () => {
            const ms = await timed(() => sendDraft(service, draft(index++)))
            turns[kind] = [...(turns[kind] ?? []), ms]
          }),
        )
        await Promise.all(running)
      }
      const watched = await watchedRun(service, all)
      const longest = Object.entries(turns).map(([kind, ms]) => [
        `${kind}, longest ms`,
        rounded(percentile(ms, 1)),
      ])
      figures[`round ${round}`] = { ...watched, ...Object.fromEntries(longest) }
    }
    await service.stop()
    return figures
  },
}

const sendDraft = ({ address }: PinnedProcess, flow: Json) =>
  post(address, '/v1/flows/draft/preview/startChat', { flow })
