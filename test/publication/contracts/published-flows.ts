import { describe, expect, it, onTestFinished } from 'vitest'
import type { Flow } from '../../../schemas/flow.ts'
import type { PublishedFlows } from '../../../src/stores/published-flows.ts'

/** A definition and where it comes from; what comes first decides between two of one id. */
export interface Source {
  /** Sources sort by name. */
  readonly name: string
  readonly definition: Partial<Flow> & { readonly id: string }
}

/** Defines what published flows are: each implementation has to pass. `setup` publishes the sources. */
export function describePublishedFlows(
  name: string,
  setup: (sources: readonly Source[]) => PublishedFlows | Promise<PublishedFlows>,
): void {
  async function open(...sources: Source[]): Promise<PublishedFlows> {
    const flows = await setup(sources)
    onTestFinished(() => flows.close())
    return flows
  }

  const first = { name: 'a', definition: { id: 'flow-1', publicId: 'one', name: 'first' } }
  const second = { name: 'b', definition: { id: 'flow-2', publicId: 'two', name: 'second' } }

  describe(name, () => {
    it('finds a flow by its public id', async () => {
      const flows = await open(first, second)
      const found = await flows.byPublicId('two')
      expect(found?.flow).toMatchObject(second.definition)
      expect(found?.program.id).toBe('flow-2')
      expect(found).toMatchObject({ publicId: 'two', isClosed: false, isArchived: false })
    })

    it.each(['three', 'flow-1', '', '__proto__', 'constructor'])(
      'has nothing under the public id "%s"',
      async (id) => {
        const flows = await open(first, second)
        expect(await flows.byPublicId(id)).toBeUndefined()
      },
    )

    it('finds a flow by its id, else by its public id', async () => {
      const third = { name: 'c', definition: { id: 'two', publicId: 'three', name: 'third' } }
      const flows = await open(first, second, third)
      expect((await flows.byFlowId('flow-1'))?.publicId).toBe('one')
      expect((await flows.byFlowId('one'))?.publicId).toBe('one')
      expect((await flows.byFlowId('two'))?.publicId).toBe('three')
      expect(await flows.byFlowId('four')).toBeUndefined()
    })

    it('publishes the first of two flows with one public id', async () => {
      const rival = { name: 'b', definition: { id: 'flow-9', publicId: 'one', name: 'rival' } }
      const flows = await open(first, rival)
      expect((await flows.byPublicId('one'))?.flow.id).toBe('flow-1')
      expect(await flows.byFlowId('flow-9')).toBeUndefined()
      expect(await flows.list()).toHaveLength(1)
    })

    it('finds the first of two flows with one id under that id, and both by their public ids', async () => {
      const namesake = { name: 'b', definition: { id: 'flow-1', publicId: 'two' } }
      const flows = await open(first, namesake)
      expect((await flows.byFlowId('flow-1'))?.publicId).toBe('one')
      expect((await flows.byPublicId('two'))?.flow.id).toBe('flow-1')
    })

    it('lists the flows in the order of their sources', async () => {
      const flows = await open(second, first)
      const inOrder = (await flows.list()).map(({ publicId }) => publicId)
      expect(inOrder).toEqual(['one', 'two'])
    })

    it('gives out closed and archived flows, marked as such', async () => {
      const flows = await open(
        { name: 'a', definition: { id: 'flow-1', publicId: 'closed', isClosed: true } },
        { name: 'b', definition: { id: 'flow-2', publicId: 'archived', isArchived: true } },
      )
      expect(await flows.byPublicId('closed')).toMatchObject({ isClosed: true, isArchived: false })
      expect(await flows.byFlowId('flow-2')).toMatchObject({ isClosed: false, isArchived: true })
    })

    it('says when a flow was published in one form, whatever the definition has', async () => {
      const flows = await open({
        ...first,
        definition: { ...first.definition, updatedAt: '2026-11-20T09:00:00+01:00' },
      })
      expect((await flows.byPublicId('one'))?.publishedAt).toBe('2026-11-20T08:00:00.000Z')
    })

    it('has no flows when nothing is published', async () => {
      const flows = await open()
      expect(await flows.list()).toEqual([])
      expect(await flows.byPublicId('one')).toBeUndefined()
    })
  })
}
