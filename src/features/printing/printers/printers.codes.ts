/** Codes that screens and schemas of printers share. */

/** `raw9100` is a label printer of the network, `agent` a printer that a print agent reaches. */
export const printerKinds = ['printnode', 'file', 'cups', 'raw9100', 'agent'] as const
