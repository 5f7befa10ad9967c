/**
 * Bytes in memory of their own, to be kept for long. Node makes small buffers as parts of blocks of 64 kB, and one part
 * that is kept keeps the whole block.
 */
export function ownBytes(bytes: Buffer | string): Buffer {
  const length = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length
  const own = Buffer.allocUnsafeSlow(length)
  if (typeof bytes === 'string') own.write(bytes)
  else bytes.copy(own)
  return own
}
