import { parentPort } from 'node:worker_threads'
import type { ConvertFlowBody } from '../../../schemas/convert-flow.ts'
import { toByteString } from '../../lib/byte-string.ts'
import { ready } from '../../lib/threads/ask-thread.ts'
import { convertText } from './convert-text.ts'

/** Characters of an answer: a few lines could else stand for gigabytes. */
const longest = 8 * 1_048_576

function answerTo(body: ConvertFlowBody) {
  const json = JSON.stringify(convertText(body))
  if (json.length <= longest) return toByteString(json)
  return { refusal: `must stand for at most ${longest} characters of JSON, not ${json.length}` }
}

parentPort?.once('message', (body: ConvertFlowBody) => parentPort?.postMessage(answerTo(body)))
parentPort?.postMessage(ready)
