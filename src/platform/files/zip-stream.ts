/**
 * A ZIP archive as a stream, of any size and number of files: ZIP64 (PKWARE APPNOTE 6.3.10, sections 4.3.9 and 4.5.3). The library at hand writes
 * archives of at most 4 GB and 65,535 files. What stays in memory are the names and sizes of the files.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipFile {
  name: string
  content: AsyncIterable<Uint8Array>
  /** Pictures, papers and films are compressed already. */
  stored?: boolean
}

interface Written {
  name: Buffer
  method: number
  crc: number
  packed: number
  size: number
  at: number
}

const version = 45
/** Names are UTF-8; sizes follow the content. */
const flags = 0x0808
/** 1 January 1980: archives of the same content are equal. */
const date = 0x0021
const whole = 0xffffffff

function localHeader({ name, method }: Written): Buffer {
  const head = Buffer.alloc(30 + name.length + 20)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt16LE(date, 12)
  head.writeUInt32LE(whole, 18)
  head.writeUInt32LE(whole, 22)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(20, 28)
  name.copy(head, 30)
  // Says that the sizes behind the content take eight bytes.
  head.writeUInt16LE(1, 30 + name.length)
  head.writeUInt16LE(16, 32 + name.length)
  return head
}

function sizesAfter({ crc, packed, size }: Written): Buffer {
  const tail = Buffer.alloc(24)
  tail.writeUInt32LE(0x08074b50, 0)
  tail.writeUInt32LE(crc, 4)
  tail.writeBigUInt64LE(BigInt(packed), 8)
  tail.writeBigUInt64LE(BigInt(size), 16)
  return tail
}

function directoryEntry({ name, method, crc, packed, size, at }: Written): Buffer {
  const entry = Buffer.alloc(46 + name.length + 28)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(version, 4)
  entry.writeUInt16LE(version, 6)
  entry.writeUInt16LE(flags, 8)
  entry.writeUInt16LE(method, 10)
  entry.writeUInt16LE(date, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(whole, 20)
  entry.writeUInt32LE(whole, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt16LE(28, 30)
  entry.writeUInt32LE(whole, 42)
  name.copy(entry, 46)
  const extra = 46 + name.length
  entry.writeUInt16LE(1, extra)
  entry.writeUInt16LE(24, extra + 2)
  entry.writeBigUInt64LE(BigInt(size), extra + 4)
  entry.writeBigUInt64LE(BigInt(packed), extra + 12)
  entry.writeBigUInt64LE(BigInt(at), extra + 20)
  return entry
}

function end(count: number, at: number, bytes: number): Buffer {
  const tail = Buffer.alloc(56 + 20 + 22)
  tail.writeUInt32LE(0x06064b50, 0)
  tail.writeBigUInt64LE(44n, 4)
  tail.writeUInt16LE(version, 12)
  tail.writeUInt16LE(version, 14)
  tail.writeBigUInt64LE(BigInt(count), 24)
  tail.writeBigUInt64LE(BigInt(count), 32)
  tail.writeBigUInt64LE(BigInt(bytes), 40)
  tail.writeBigUInt64LE(BigInt(at), 48)
  tail.writeUInt32LE(0x07064b50, 56)
  tail.writeBigUInt64LE(BigInt(at + bytes), 64)
  tail.writeUInt32LE(1, 72)
  tail.writeUInt32LE(0x06054b50, 76)
  tail.writeUInt16LE(0xffff, 84)
  tail.writeUInt16LE(0xffff, 86)
  tail.writeUInt32LE(whole, 88)
  tail.writeUInt32LE(whole, 92)
  return tail
}

/** Files that are compressed already, or small: each is opened when its turn comes, and closed behind it. */
export async function* storedFiles(
  files: readonly { name: string; open: () => Promise<Uint8Array | (AsyncIterable<Uint8Array> & Disposable)> }[],
): AsyncGenerator<ZipFile> {
  for (const { name, open } of files) {
    const content = await open()
    if (content instanceof Uint8Array) yield { name, content: Readable.from([content]), stored: true }
    else {
      using stream = content
      yield { name, content: stream, stored: true }
    }
  }
}

/** Each file is read when its turn comes. */
export async function* zipStream(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const written: Written[] = []
  let at = 0
  for await (const { name, content, stored } of files) {
    const entry: Written = { name: Buffer.from(name), method: stored ? 0 : 8, crc: 0, packed: 0, size: 0, at }
    written.push(entry)
    const head = localHeader(entry)
    yield head
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of content) {
        entry.crc = crc32(piece, entry.crc)
        entry.size += piece.length
        yield piece
      }
    }
    for await (const piece of stored ? counted() : deflated(counted())) {
      entry.packed += piece.length
      yield piece
    }
    const tail = sizesAfter(entry)
    yield tail
    at += head.length + entry.packed + tail.length
  }
  const begin = at
  for (const entry of written) {
    const bytes = directoryEntry(entry)
    at += bytes.length
    yield bytes
  }
  yield end(written.length, begin, at - begin)
}

async function* deflated(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packer = createDeflateRaw()
  const packed = pipeline(Readable.from(content, { objectMode: false }), packer)
  // It is awaited below; until then its failure is not one that no one sees.
  packed.catch(() => undefined)
  try {
    for await (const piece of packer) yield piece
    await packed
  } finally {
    packer.destroy()
  }
}
