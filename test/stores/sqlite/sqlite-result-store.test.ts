import { describe, onTestFinished } from 'vitest'
import { describeDefinitionStore } from '../contracts/definition-store.ts'
import { describeResultStore } from '../contracts/result-store.ts'
import { bindings, openEmbedded } from './embedded-store.ts'

async function setup(binding: (typeof bindings)[number]) {
  const embedded = await openEmbedded({ binding })
  onTestFinished(() => embedded.close())
  return { ...embedded, conversations: embedded.open() }
}

describe.each(bindings)('%s', (binding) => {
  describeResultStore('embedded result store', () => setup(binding))
  describeDefinitionStore('embedded definition store', async () => (await setup(binding)).definitions)
})
