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

const kinds: { [K in keyof Configs]: (config: Configs[K]) => Printing } = {
  printnode: printNode,
  file: filePrinter,
  cups,
  raw9100: rawPrinters,
}

export function printing<K extends keyof Configs>(kind: K, config: Configs[K]): Printing {
  return kinds[kind](config)
}
