/** The fenced blocks of docs/operating.md by heading: what the document prints is what the parts run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Block {
  heading: string
  language: string
  text: string
  used: boolean
}

export const blocks: Block[] = readBlocks(readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8'))

function readBlocks(text: string): Block[] {
  const found: Block[] = []
  let heading = ''
  let open: { language: string; lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const fence = /^```(\w*)$/.exec(line)
    if (open && fence) {
      found.push({ heading, language: open.language, text: `${open.lines.join('\n')}\n`, used: false })
      open = undefined
    } else if (fence) open = { language: fence[1] ?? '', lines: [] }
    else if (open) open.lines.push(line)
    else heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
  }
  return found
}

/** The block of this language under the heading, by its number there; throws where the document has none. */
export function blockOf(heading: string, language: string, place = 0): string {
  const block = blocks.filter(one => one.heading === heading && one.language === language)[place]
  if (!block) throw new Error(`docs/operating.md has no block "${language}" number ${place + 1} under "${heading}"`)
  block.used = true
  return block.text
}

/** The text with each of these replaced by what stands for it in the run; throws where one is not in the text any more. */
export function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  let result = text
  for (const [printed, own] of Object.entries(changes)) {
    if (!result.includes(printed)) throw new Error(`The block does not contain "${printed}" any more:\n${text}`)
    result = result.replaceAll(printed, own)
  }
  return result
}
