import importedVariant from '@jitl/quickjs-wasmfile-release-sync'
import {
  type EmscriptenModuleLoader,
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSEmscriptenModule,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { takeSnapshot } from './memory-snapshot.ts'

/** A QuickJS in a memory of its own. */
export interface QuickJs {
  readonly runtime: QuickJSRuntime
  readonly context: QuickJSContext
  /** Whether most of the memory that code may have has been in use. */
  isExhausted(): boolean
  /** Remembers everything as it is now; what it gives puts it back, or says that it can't. */
  remember(): () => boolean
}

/** Default export of a module: its types nest it one level deeper than it is. */
const unwrapped = <T>(imported: unknown) => (imported as { default?: T }).default ?? (imported as T)

const variant = unwrapped<QuickJSSyncVariant>(importedVariant)

/** Stack in WebAssembly. With more of it, the host's own stack would overflow first. */
const stackBytes = 256 * 2 ** 10

const roomBytes = 2 ** 20

const pageBytes = 64 * 2 ** 10

/** Initial memory that QuickJS requires. */
const initialBytes = 256 * pageBytes

/** Memory of QuickJS itself, and for what is copied in and out. */
const ownBytes = 24 * 2 ** 20

export async function loadQuickJs(wasm: WebAssembly.Module, memoryBytes: number): Promise<QuickJs> {
  const maximum = Math.ceil((ownBytes + memoryBytes) / pageBytes)
  const memory = new WebAssembly.Memory({ initial: initialBytes / pageBytes, maximum })
  const { quickjs, ...heap } = await load(wasm, memory)
  const runtime = quickjs.newRuntime({ memoryLimitBytes: memoryBytes, maxStackSizeBytes: stackBytes })
  return {
    runtime,
    context: runtime.newContext(),
    isExhausted: () => memory.buffer.byteLength - initialBytes > memoryBytes / 2,
    remember() {
      // The code that reports the overflow needs some stack beyond the limit.
      return takeSnapshot(memory, { stackBytes: 1.5 * stackBytes, roomBytes, ...heap })
    },
  }
}

/** Loads QuickJS into a memory of ours, from a module that all threads share. */
async function load(wasm: WebAssembly.Module, memory: WebAssembly.Memory) {
  const loader = unwrapped<EmscriptenModuleLoader<QuickJSEmscriptenModule>>(
    await variant.importModuleLoader(),
  )
  const options = {
    wasmMemory: memory,
    printErr: () => {},
    instantiateWasm(imports: object, onSuccess: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(wasm, imports)
      onSuccess(instance)
      return instance.exports
    },
  }
  const loaded = await loader(options as Parameters<typeof loader>[0])
  const importModuleLoader = async () => async () => loaded
  return {
    quickjs: await newQuickJSWASMModuleFromVariant({ ...variant, importModuleLoader }),
    allocate: (bytes: number) => loaded._malloc(bytes),
    release: (place: number) => loaded._free(place),
  }
}
