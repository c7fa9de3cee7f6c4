import type { components, operations } from './wire-types.js'

type Schemas = components['schemas']

type BodyOf<Operation extends keyof operations> = operations[Operation] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? NonNullable<Body>
  : never

type AnswerOf<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Answer } } }
}
  ? Answer
  : never

export type Message = Schemas['Message']
export type Input = Schemas['Input']
export type ClientSideAction = Schemas['ClientSideAction']
export type Log = Schemas['Log']
export type Theme = Schemas['Theme']
export type Settings = Schemas['Settings']
export type UserMessage = Schemas['UserMessage']
export type Problem = Schemas['ErrorBody']
export type FlowStates = AnswerOf<'listFlows'>
export type FlowState = FlowStates['flows'][number]

export type CheckBody = BodyOf<'validateFlow'>
export type StartBody = BodyOf<'startChat'>
export type PreviewBody = BodyOf<'startPreviewChat'>
export type ContinueBody = BodyOf<'continueChat'>
export type StartAnswer = AnswerOf<'startChat'>
export type PreviewAnswer = AnswerOf<'startPreviewChat'>
export type ContinueAnswer = AnswerOf<'continueChat'>
export type SessionState = AnswerOf<'getSession'>
export type Definition = Schemas['FlowDefinition']
export type Mocks = Schemas['Mocks']
export type Finding = Schemas['LintFinding']
export type FlowReport = AnswerOf<'validateFlow'>
export type TraceTurn = Schemas['TurnTrace']
export type TraceStep = TraceTurn['steps'][number]
export type TranscriptLine = AnswerOf<'readTranscript'>['lines'][number]
export type UploadOffer = AnswerOf<'generateUploadUrl'>

/** What every turn brings, the first one and those that follow. */
export type Turn = Pick<
  StartAnswer,
  | 'messages'
  | 'input'
  | 'clientSideActions'
  | 'logs'
  | 'dynamicTheme'
  | 'progress'
  | 'lastMessageNewFormat'
  | 'wakesAt'
  | 'actsAfterSeconds'
  | 'paused'
>
