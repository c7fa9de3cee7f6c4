import { parentPort } from 'node:worker_threads'
import { ready } from '../../lib/threads/ask-thread.ts'
import type { ReadYaml } from '../../ports/yaml-reader-port.ts'
import { parseYaml, YamlError } from './parse-yaml.ts'

/** Characters of JSON that a text may stand for. */
const longest = 1_048_576

function readYaml(text: string): ReadYaml {
  try {
    const { value, places } = parseYaml(text)
    const json = JSON.stringify(value ?? null)
    if (json.length <= longest) return { json, places }
    return { refusal: `must stand for at most ${longest} characters of JSON, not ${json.length}` }
  } catch (error) {
    if (error instanceof YamlError) return { refusal: error.message, place: error.place }
    return { refusal: 'is nested too deeply' }
  }
}

parentPort?.once('message', (text: string) => parentPort?.postMessage(readYaml(text)))
parentPort?.postMessage(ready)
