// The package has no types.
declare module 'kafkajs-snappy' {
  const codec: () => {
    compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>
    /** Also frames of the Java client. */
    decompress(packed: Buffer): Promise<Buffer>
  }
  export default codec
}
