/** The registry of printing providers, by the name under which a company chooses one. */

import { cups } from './cups.ts'
import type { CupsConfig } from './cups-commands.ts'
import { type FilePrinterConfig, filePrinter } from './file.ts'
import type { Printing } from './printer.ts'
import { type PrintNodeConfig, printNode } from './printnode.ts'
import { type RawPrintersConfig, rawPrinters } from './raw9100.ts'

interface Configs {
  printnode: PrintNodeConfig
  file: FilePrinterConfig
  cups: CupsConfig
  raw9100: RawPrintersConfig
}

type Kinds = { [K in keyof Configs]: (config: Configs[K]) => Printing }
const kinds: Kinds = {
  printnode: printNode,
  file: filePrinter,
  cups,
  raw9100: rawPrinters,
}

export function printing<K extends keyof Configs>(kind: K, config: Configs[K]): Printing {
  return kinds[kind](config)
}

/** For tests: what a company prints on this kind goes to another provider until the returned function is called. */
export function withPrinting<K extends keyof Configs>(kind: K, open: Kinds[K]): () => void {
  const before: Kinds[K] = kinds[kind]
  Object.assign(kinds, { [kind]: open })
  return () => void Object.assign(kinds, { [kind]: before })
}
