import type { Rule } from '../rule.ts'
import { accountMissing } from './calls/account-missing.ts'
import { badToolName } from './calls/bad-tool-name.ts'
import { badUrl } from './calls/bad-url.ts'
import { notAvailable } from './calls/block-not-available.ts'
import { bodyNotJson } from './calls/body-not-json.ts'
import { failureIgnored } from './calls/failure-ignored.ts'
import { mailInPreview } from './calls/mail-in-preview.ts'
import { mailWithoutRecipient } from './calls/mail-without-recipient.ts'
import { messagesMissing } from './calls/messages-missing.ts'
import { modelMissing } from './calls/model-missing.ts'
import { pathRootMissing } from './calls/path-root-missing.ts'
import { plainHttp } from './calls/plain-http.ts'
import { privateAddress } from './calls/private-address.ts'
import { requestWithoutUrl } from './calls/request-without-url.ts'
import { retiredAction } from './calls/retired-action.ts'
import { codeNeedsBrowser } from './code/code-needs-browser.ts'
import { codeNeverEnds } from './code/code-never-ends.ts'
import { codeWritesUnknown } from './code/code-writes-unknown.ts'
import { invalidCode } from './code/invalid-code.ts'
import { looksLikeCode } from './code/looks-like-code.ts'
import { scriptDoesNothingHere } from './code/script-does-nothing-here.ts'
import { danglingEdge } from './graph/dangling-edge.ts'
import { duplicateId } from './graph/duplicate-id.ts'
import { edgeFromDiffers } from './graph/edge-from-differs.ts'
import { ignoredBubbleEdge } from './graph/ignored-bubble-edge.ts'
import { jumpTargetMissing } from './graph/jump-target-missing.ts'
import { missingBlock } from './graph/missing-block.ts'
import { missingGroup } from './graph/missing-group.ts'
import { orphanEdge } from './graph/orphan-edge.ts'
import { unknownBlockType } from './graph/unknown-block-type.ts'
import { alwaysTrue } from './inputs/always-true.ts'
import { badRange } from './inputs/bad-range.ts'
import { duplicateChoice } from './inputs/duplicate-choice.ts'
import { emptyChoice } from './inputs/empty-choice.ts'
import { invalidOption } from './inputs/invalid-option.ts'
import { invalidPattern } from './inputs/invalid-pattern.ts'
import { neverTrue } from './inputs/never-true.ts'
import { retrySaysNothing } from './inputs/retry-says-nothing.ts'
import { sizeOfWords } from './inputs/size-of-words.ts'
import { slowPattern } from './inputs/slow-pattern.ts'
import { valueNeverOffered } from './inputs/value-never-offered.ts'
import { linkClosed } from './links/link-closed.ts'
import { linkCycle } from './links/link-cycle.ts'
import { linkMissing } from './links/link-missing.ts'
import { conditionWithoutElse } from './paths/condition-without-else.ts'
import { emptyGroup } from './paths/empty-group.ts'
import { endlessLoop } from './paths/endless-loop.ts'
import { eventWithoutEffect } from './paths/event-without-effect.ts'
import { hotLoop } from './paths/hot-loop.ts'
import { noStart } from './paths/no-start.ts'
import { returnWithoutJump } from './paths/return-without-jump.ts'
import { silentEnd } from './paths/silent-end.ts'
import { turnOverBudget } from './paths/turn-over-budget.ts'
import { unreachableBlock } from './paths/unreachable-block.ts'
import { unreachableGroup } from './paths/unreachable-group.ts'
import { wayOutMissing } from './paths/way-out-missing.ts'
import { badPublicId } from './publication/bad-public-id.ts'
import { headCodeTooLong } from './publication/head-code-too-long.ts'
import { invalidDefinition } from './publication/invalid-definition.ts'
import { notAllChecked } from './publication/not-all-checked.ts'
import { oldVersion } from './publication/old-version.ts'
import { publicIdTaken } from './publication/public-id-taken.ts'
import { removesWaitingBlock } from './publication/removes-waiting-block.ts'
import { reservedPublicId } from './publication/reserved-public-id.ts'
import { undeclaredKey } from './publication/undeclared-key.ts'
import { unknownKey } from './publication/unknown-key.ts'
import { unusedSuppression } from './publication/unused-suppression.ts'
import { versionMissing } from './publication/version-missing.ts'
import { waitsTooLong } from './publication/waits-too-long.ts'
import { emptyBubble } from './texts/empty-bubble.ts'
import { missingAlt } from './texts/missing-alt.ts'
import { secretInFlow } from './texts/secret-in-flow.ts'
import { tooLongForChannel } from './texts/too-long-for-channel.ts'
import { unsafeAddress } from './texts/unsafe-address.ts'
import { brokenPlaceholder } from './variables/broken-placeholder.ts'
import { duplicateVariableName } from './variables/duplicate-variable-name.ts'
import { dynamicListNeverSet } from './variables/dynamic-list-never-set.ts'
import { inputWithoutVariable } from './variables/input-without-variable.ts'
import { mappingOverwritten } from './variables/mapping-overwritten.ts'
import { readBeforeWrite } from './variables/read-before-write.ts'
import { unknownVariable } from './variables/unknown-variable.ts'
import { unusedVariable } from './variables/unused-variable.ts'

/** Rules about one subject, in the order in which the page lists them and in which they are applied. */
interface RuleChapter {
  readonly title: string
  readonly rules: readonly Rule[]
}

/** Every rule: the one place that knows them all. */
export const ruleChapters: readonly RuleChapter[] = Object.freeze([
  {
    title: 'The graph',
    rules: [
      duplicateId,
      danglingEdge,
      missingGroup,
      missingBlock,
      unknownBlockType,
      jumpTargetMissing,
      ignoredBubbleEdge,
      orphanEdge,
      edgeFromDiffers,
    ],
  },
  {
    title: 'Ways through the flow',
    rules: [
      noStart,
      unreachableGroup,
      unreachableBlock,
      wayOutMissing,
      conditionWithoutElse,
      endlessLoop,
      hotLoop,
      turnOverBudget,
      eventWithoutEffect,
      returnWithoutJump,
      silentEnd,
      emptyGroup,
    ],
  },
  { title: 'Links to other flows', rules: [linkMissing, linkCycle, linkClosed] },
  {
    title: 'Variables',
    rules: [
      duplicateVariableName,
      unknownVariable,
      brokenPlaceholder,
      readBeforeWrite,
      unusedVariable,
      mappingOverwritten,
      dynamicListNeverSet,
      inputWithoutVariable,
    ],
  },
  {
    title: 'Texts and media',
    rules: [emptyBubble, unsafeAddress, missingAlt, tooLongForChannel, secretInFlow],
  },
  {
    title: 'Inputs and decisions',
    rules: [
      invalidOption,
      invalidPattern,
      slowPattern,
      badRange,
      neverTrue,
      alwaysTrue,
      sizeOfWords,
      valueNeverOffered,
      duplicateChoice,
      emptyChoice,
      retrySaysNothing,
    ],
  },
  {
    title: 'Calls and models',
    rules: [
      notAvailable,
      retiredAction,
      accountMissing,
      requestWithoutUrl,
      badUrl,
      plainHttp,
      privateAddress,
      bodyNotJson,
      pathRootMissing,
      failureIgnored,
      mailWithoutRecipient,
      mailInPreview,
      modelMissing,
      messagesMissing,
      badToolName,
    ],
  },
  {
    title: 'Code of flows',
    rules: [
      invalidCode,
      codeNeedsBrowser,
      codeWritesUnknown,
      codeNeverEnds,
      looksLikeCode,
      scriptDoesNothingHere,
    ],
  },
  {
    title: 'Publication',
    rules: [
      invalidDefinition,
      unknownKey,
      undeclaredKey,
      publicIdTaken,
      badPublicId,
      reservedPublicId,
      headCodeTooLong,
      waitsTooLong,
      removesWaitingBlock,
      versionMissing,
      oldVersion,
      unusedSuppression,
      notAllChecked,
    ],
  },
])

export const rules: readonly Rule[] = Object.freeze(ruleChapters.flatMap((chapter) => chapter.rules))

/** The rule of a code. */
export const rulesByCode: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.code, rule]))
