type Zstd = typeof import('@bokuweb/zstd-wasm')

let opened: Promise<Zstd> | undefined

/** Loads the library for zstd (Node's zlib has it since 22.15) once a process: a second `init` takes the memory of the first. */
export const openZstd = (): Promise<Zstd> => {
  opened ??= import('@bokuweb/zstd-wasm').then(async (zstd) => {
    await zstd.init()
    return zstd
  })
  return opened
}
