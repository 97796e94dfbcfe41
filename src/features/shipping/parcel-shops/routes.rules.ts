/** The routes of the own vans as rows of a table; they are kept as the lines that the courier reads. */

export interface RouteRow {
  name: string
  postcodes: string
  cage: string
  cut_off: string
}

export const noRoute: RouteRow = { name: '', postcodes: '', cage: '', cut_off: '' }

/** `Nørrebro; 2100-2200, 2400; B7; 15:30`, one a line; what stands too much stays in the last box, where the courier refuses it. */
export const routeRows = (text: string): RouteRow[] =>
  text
    .split(/\r?\n/)
    .filter(line => line.trim() !== '')
    .map(line => {
      const [name = '', postcodes = '', cage = '', ...rest] = line.split(';').map(part => part.trim())
      return { name, postcodes, cage, cut_off: rest.join('; ') }
    })

/** The lines again; rows without anything are left out. A semicolon inside a box would make two of it. */
export const routeText = (rows: readonly RouteRow[]): string =>
  rows
    .map(row => [row.name, row.postcodes, row.cage, row.cut_off].map(part => part.replace(/[;\r\n]/g, ' ').trim()))
    .filter(parts => parts.some(part => part !== ''))
    .map(parts => parts.join('; ').trim())
    .join('\n')
