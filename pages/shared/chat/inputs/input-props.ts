import type { Input } from '../../../../client/client.ts'
import type { Reply } from '../chat-model.ts'

export type InputOf<Type extends Input['type']> = Extract<Input, { type: Type }>

/** What every input is given. */
export interface InputProps<Of extends Input = Input> {
  readonly input: Of
  readonly isPrefilled: boolean
  /** What somebody has chosen before a reload or a refusal, and not sent. */
  readonly marked: readonly string[]
  readonly onMark: (values: readonly string[]) => void
  readonly onReply: (reply: Reply) => void
  readonly onUpload: (file: File) => Promise<string>
}

/** A reply that reads as it is sent. */
export const say = (text: string): Reply => ({ message: text, shown: text })
