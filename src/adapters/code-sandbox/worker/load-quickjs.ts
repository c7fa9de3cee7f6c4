import importedVariant from '@jitl/quickjs-wasmfile-release-sync'
import {
  type EmscriptenModuleLoader,
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSEmscriptenModule,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'

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

interface SnapshotOptions {
  /** Usable size of the stack. */
  readonly stackBytes: number
  /** Room for allocations before the memory grows. */
  readonly roomBytes: number
  readonly allocate: (bytes: number) => number
  readonly release: (place: number) => void
}

/** The stack is known by it: nothing else is that large and empty. */
const emptyWords = 2 ** 20 / 4

/**
 * Remembers a WebAssembly memory. The function that it gives puts the memory back, to the last byte; it says false
 * when it can't, as the memory has grown since.
 *
 * Going back costs what may have changed, and not what there is, so most of the memory
 * is taken away first: one allocation, never touched, leaves so little room that code that needs more has to make the
 * memory grow, which shows from outside.
 */
function takeSnapshot(memory: WebAssembly.Memory, options: SnapshotOptions): () => boolean {
  const { buffer } = memory
  const bytes = new Uint8Array(buffer)
  const { start, end } = takeAway(buffer.byteLength, options)
  if (memory.buffer !== buffer) throw new Error('The memory has no room for a snapshot')
  const words = new Uint32Array(buffer)
  const dataEnd = endOfUse(words)
  const heapStart = startOfUse(words, Math.floor(start / 4))
  if (dataEnd >= heapStart) throw new Error('The memory has no empty stack')
  const data = bytes.slice(0, dataEnd)
  const heap = bytes.slice(heapStart, start)
  // The allocator's own, at the start of what is left.
  const rest = bytes.slice(end, end + endOfUse(new Uint32Array(buffer, end)))
  return () => {
    if (memory.buffer !== buffer) return false
    bytes.set(data)
    // The stack grows downwards, and begins where the heap does.
    bytes.fill(0, heapStart - options.stackBytes, heapStart)
    bytes.set(heap, heapStart)
    bytes.set(rest, end)
    bytes.fill(0, end + rest.length)
    return true
  }
}

/** Allocates all that lies between what is in use and what is left. */
function takeAway(size: number, { roomBytes, allocate, release }: SnapshotOptions) {
  // So large a block lies behind everything else.
  const place = allocate(roomBytes)
  release(place)
  const taken = Math.floor((size - place - roomBytes) / 16) * 16
  const start = allocate(taken)
  return { start, end: start + taken }
}

/** End of the first part that is in use, in bytes. */
function endOfUse(words: Uint32Array): number {
  let end = 0
  for (let index = 0; index < words.length && index - end < emptyWords; index++) {
    if (words[index] !== 0) end = index + 1
  }
  return end * 4
}

/** Start of the last part that is in use, in bytes. */
function startOfUse(words: Uint32Array, end: number): number {
  let start = end
  for (let index = end - 1; index >= 0 && start - index < emptyWords; index--) {
    if (words[index] !== 0) start = index
  }
  return start * 4
}
