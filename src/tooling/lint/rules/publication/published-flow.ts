import { WaitBlock } from '../../../../../schemas/blocks/logic.ts'
import { tagsOf } from '../../../../../schemas/tagged-union.ts'
import { maxHeadCodeLength } from '../../../../engine/compile/head-html.ts'
import { escapeToken } from '../../../../lib/json-pointer.ts'
import { blockAs, waitingBlocksOf } from '../../model/placed-block.ts'
import { defineRule, type Rule } from '../../rule.ts'

const publicIdTaken = defineRule({
  code: 'public-id-taken',
  severity: 'error',
  title: 'A public id that another file has',
  description:
    'Of two files with one public id the first by name is published, and the other can not be started. Files without a `publicId` have the name of the file. Looked for where several files are checked together.',
  checkFlow({ model, report }) {
    const { flow, surroundings } = model
    const publicId = flow.publicId || surroundings.publicId
    const others = (publicId && surroundings.publishedAs?.(publicId)) || []
    if (others.length === 0) return
    report({
      pointer: '/publicId',
      message: `"${publicId}" is the public id of ${others.slice(0, 5).join(', ')} too.`,
    })
  },
})

const badPublicId = defineRule({
  code: 'bad-public-id',
  severity: 'warning',
  title: 'A public id that does not fit into an address',
  description:
    'Visitors start a flow by its `publicId`, which stands in an address: blanks, slashes and the signs `? # % \\` have to be written otherwise there, and many clients do not; a lone `.` or `..` is taken out of an address. Use letters, digits and hyphens.',
  checkFlow({ model, report }) {
    const { publicId } = model.flow
    if (publicId === undefined || /^(?!\.{1,2}$)[^\s/?#%\\]*$/.test(publicId)) return
    report({ pointer: '/publicId', message: `"${publicId}" does not fit into an address.` })
  },
})

/** Names that the service itself answers at `/<name>`. */
export const reservedPublicIds: readonly string[] = Object.freeze([
  'docs',
  'embed.js',
  'health',
  'healthz',
  'llms-full.txt',
  'llms.txt',
  'metrics',
  'openapi.json',
  'payment-frame',
  'published-flows',
  'ready',
  'results',
  'script-frame',
  'try',
])

const reservedPublicId = defineRule({
  code: 'reserved-public-id',
  severity: 'info',
  title: 'A public id that is an address of the service',
  description: `With \`COMPAT_API\` the page of a flow is at \`/<public id>\` too. At some addresses the service answers itself: ${reservedPublicIds.map((id) => `\`${id}\``).join(', ')}. A flow of that name has its page at \`/f/<public id>\` alone; everything else of it works. Use another id where frames or links name the short address.`,
  checkFlow({ model, report }) {
    const { publicId } = model.flow
    if (publicId === undefined || !reservedPublicIds.includes(publicId)) return
    report({
      pointer: '/publicId',
      message: `The service itself answers at /${publicId}.`,
      hint: `The page of the flow is at /f/${publicId}; choose another id where its page is to be at /<public id>.`,
    })
  },
})

const offerToAssistants = defineRule({
  code: 'offer-to-assistants',
  severity: 'warning',
  title: 'An offer to assistants that does less than it says',
  description:
    'With `settings.general.mcp` a flow is a tool of assistants ([mcp.md](mcp.md)). Without a `description` none is offered it, as no model could know what it is for; and of its `arguments` those fill nothing that name no variable of the flow.',
  checkFlow({ model, report }) {
    const { mcp } = model.flow.settings.general ?? {}
    if (!mcp) return
    const pointer = '/settings/general/mcp'
    if (!mcp.description?.trim())
      report({ pointer, message: 'No assistant is offered this flow: it has no description.' })
    const names = new Set(model.flow.variables.map(({ name }) => name))
    for (const name of Object.keys(mcp.arguments ?? {})) {
      if (names.has(name)) continue
      const at = `${pointer}/arguments/${escapeToken(name)}`
      report({ pointer: at, message: `There is no variable "${name}" to fill.` })
    }
  },
})

const pointer = '/settings/metadata/customHeadCode'

const headCodeTooLong = defineRule({
  code: 'head-code-too-long',
  severity: 'error',
  title: 'Custom head code that is too long to be sent',
  description: `Clients get no more than ${maxHeadCodeLength} characters of custom head code: what is longer is left out as a whole. Load long scripts from an address of their own.`,
  checkFlow({ model, report }) {
    const { customHeadCode } = model.flow.settings.metadata ?? {}
    if (!customHeadCode || customHeadCode.length <= maxHeadCodeLength) return
    const message = `Custom head code is left out: it has more than ${maxHeadCodeLength} characters.`
    report({ pointer, message })
  },
})

const mostSeconds = 30

const waitsTooLong = defineRule({
  code: 'waits-too-long',
  severity: 'info',
  title: `A wait of more than ${mostSeconds} seconds`,
  description:
    'Everything that follows is delayed, by the client for up to a minute and beyond by the service, and visitors take it for the end. Wait for less, or ask for something.',
  blockTypes: tagsOf(WaitBlock),
  checkBlock(placed, { report }) {
    const { secondsToWaitFor } = blockAs<WaitBlock>(placed).options ?? {}
    const seconds = Number.parseFloat(String(secondsToWaitFor ?? '').replace(',', '.'))
    if (!(seconds > mostSeconds)) return
    const pointer = `${placed.pointer}/options/secondsToWaitFor`
    report({ pointer, message: `Visitors have to wait for ${seconds} seconds.` })
  },
})

const removesWaitingBlock = defineRule({
  code: 'removes-waiting-block',
  severity: 'warning',
  title: 'A block is gone at which sessions may wait',
  description:
    'Conversations go on with the version that they began with, so that nothing breaks; but one that waits at a block that is gone can not be moved to this version (`updateFlow` is refused with 409). Keep the id of the block where you can. Looked for where the published version is known: in `PUT` of a flow and `flow-runtime publish`, and with `--against` on the command line.',
  checkFlow({ model, report }) {
    const { served } = model.surroundings
    if (!served) return
    const present = waitingBlocksOf(model.flow, model.program)
    for (const [id, name] of waitingBlocksOf(served.flow, served.program)) {
      if (present.has(id)) continue
      report({ pointer: '/groups', message: `No session can wait at "${id}" any more, ${name} until now.` })
    }
  },
})

const versionMissing = defineRule({
  code: 'version-missing',
  severity: 'warning',
  title: 'A definition that does not say its version',
  remedy: 'Write "version": "6.1".',
  description:
    'Without `version` a definition with events counts as one of version 6, and any other as one of version 3, which starts at its first block and merges the results of links ([behaviour/walk.md, "Old versions"](behaviour/walk.md#old-versions)). Write `"version": "6.1"`, with the start among the `events`.',
  checkFlow({ model, report }) {
    const { version } = Object(model.definition) as { version?: unknown }
    if (version !== undefined && version !== null) return
    report({
      pointer: '',
      message: `The definition says no version, and is read as one of version ${model.flow.version}.`,
    })
  },
})

const oldVersion = defineRule({
  code: 'old-version',
  severity: 'info',
  title: 'A flow of an old version',
  description:
    'Flows below version 6 are run as they were: they start at a block, links merge results unless they say otherwise, and a list in a text stands for its last element ([behaviour/walk.md, "Old versions"](behaviour/walk.md#old-versions)). Events are not looked at. Export the flow anew from an editor of today if that is not wanted.',
  checkFlow({ model, report }) {
    if (!model.program.isLegacy) return
    report({
      pointer: '/version',
      message: `Version ${model.flow.version} differs from later ones in three ways.`,
    })
  },
})

/** Rules about a definition as a whole, as it is to be published. */
export const publishedFlowRules: readonly Rule[] = [
  publicIdTaken,
  badPublicId,
  reservedPublicId,
  offerToAssistants,
  headCodeTooLong,
  waitsTooLong,
  removesWaitingBlock,
  versionMissing,
  oldVersion,
]
