/** How a printer is called on screens. */

/** The two folders are named by the program, in English; every other printer by people or by its computer. */
export const printerName = (t: (sentence: string) => string, name: string): string => (name.startsWith('File: ') ? t(name) : name)
