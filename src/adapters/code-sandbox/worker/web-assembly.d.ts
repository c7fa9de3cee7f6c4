/** The part of WebAssembly that the sandbox uses: Node has it, but its types do not. */
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
