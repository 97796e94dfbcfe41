/** Archives as a stream: what is written is read by another program, whatever its size, and a failing source fails the archive. */
import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { type ZipFile, zipStream } from './zip-stream.ts'

const source = async function* (...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}
async function written(...files: ZipFile[]): Promise<Buffer> {
  async function* all() {
    yield* files
  }
  const pieces: Uint8Array[] = []
  for await (const piece of zipStream(all())) pieces.push(piece)
  return Buffer.concat(pieces)
}

it('holds files as they were, compressed or not, with names in any language', async () => {
  const large = Buffer.alloc(3_000_000, 'abcdefgh')
  const archive = await written(
    { name: 'tables/orders.jsonl', content: source('{"a":1}\n', '{"a":2}\n') },
    { name: 'files/Følgeseddel 1.pdf', content: source(large.subarray(0, 1_000_000), large.subarray(1_000_000)), stored: true },
    { name: 'large.txt', content: source(large) },
    { name: 'empty.txt', content: source() },
  )
  const read = unzipSync(archive)
  expect(Object.keys(read)).toEqual(['tables/orders.jsonl', 'files/Følgeseddel 1.pdf', 'large.txt', 'empty.txt'])
  expect(Buffer.from(read['tables/orders.jsonl'] ?? []).toString()).toBe('{"a":1}\n{"a":2}\n')
  expect(large.equals(read['files/Følgeseddel 1.pdf'] ?? Buffer.alloc(0))).toBe(true)
  expect(large.equals(read['large.txt'] ?? Buffer.alloc(0))).toBe(true)
  expect(read['empty.txt']).toHaveLength(0)
  expect(archive.length).toBeLessThan(3_100_000)
})

it('is empty without files', async () => {
  expect(unzipSync(await written())).toEqual({})
})

it('fails with its source', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('begun')
    throw new Error('The source broke')
  }
  for (const stored of [true, false]) await expect(written({ name: 'a', content: broken(), stored })).rejects.toThrow('The source broke')
})
