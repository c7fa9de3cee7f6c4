/** What the sandbox uses of WebAssembly: it is in Node, but not in its types. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string
  }
  class Memory {
    constructor(options: { readonly initial: number; readonly maximum: number })
    readonly buffer: ArrayBuffer
  }
  class Instance {
    constructor(module: Module, imports: object)
    readonly exports: object
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
