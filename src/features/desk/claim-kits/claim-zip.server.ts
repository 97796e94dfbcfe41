/** A ZIP file that is made while it is sent: no file is held in memory as a whole. */
import { Zip, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  name: string
  open: () => Promise<Uint8Array | (AsyncIterable<Uint8Array> & Disposable)>
}

/** Labels, papers and clips are compressed already, so that they are stored as they are. */
export async function* zipOf(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  let failure: Error | undefined
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else ready.push(chunk)
  })
  const made = function* () {
    if (failure) throw failure
    yield* ready.splice(0)
  }
  for (const { name, open } of entries) {
    const content = await open()
    const file = new ZipPassThrough(name)
    zip.add(file)
    if (content instanceof Uint8Array) file.push(content, true)
    else {
      using stream = content
      for await (const chunk of stream) {
        file.push(chunk)
        yield* made()
      }
      file.push(new Uint8Array(0), true)
    }
    yield* made()
  }
  zip.end()
  yield* made()
}
