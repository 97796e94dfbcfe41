/** The registry of printing providers, by the name under which a company chooses one. */

import { type FilePrinterConfig, filePrinter } from './file.ts'
import type { Printing } from './printer.ts'
import { type PrintNodeConfig, printNode } from './printnode.ts'

interface Configs {
  printnode: PrintNodeConfig
  file: FilePrinterConfig
}

const kinds: { [K in keyof Configs]: (config: Configs[K]) => Printing } = { printnode: printNode, file: filePrinter }

export function printing<K extends keyof Configs>(kind: K, config: Configs[K]): Printing {
  return kinds[kind](config)
}
