/** Files of payroll systems: the Danløn format, and a CSV file whose columns a company chooses. */
import type { decimalSigns, encodings, FileColumn, separators } from './salary.codes.ts'

export interface FileLine {
  employee_no: string
  name: string
  pay_code: string
  text: string
  /** Hundredths of an hour or of a day, and minor units. */
  units_c: number | null
  rate: number | null
  amount: number
  from: string
  to: string
  /** 0 for the period itself; corrections stand behind. */
  origin: number
}

export interface FileFormat {
  columns: readonly FileColumn[]
  separator: (typeof separators)[number]
  decimal: (typeof decimalSigns)[number]
  encoding: (typeof encodings)[number]
  header: boolean
  /** Written in place of the names of the columns. */
  first_line: string
}

/** By employee number, pay code and origin. */
const ordered = (lines: readonly FileLine[]): FileLine[] =>
  lines.toSorted(
    (one, other) =>
      Number(one.employee_no) - Number(other.employee_no) ||
      one.employee_no.localeCompare(other.employee_no) ||
      Number(one.pay_code) - Number(other.pay_code) ||
      one.pay_code.localeCompare(other.pay_code) ||
      one.origin - other.origin,
  )

/**
 * `CVR;employee;pay type;units;rate;amount`: always six fields, digits and `-` only, units and rate in hundredths, amount in øre, CR LF.
 * Format: danmade.dk and salary.dk, help pages about the Danløn format.
 */
export const danlonText = (employer_no: string, lines: readonly FileLine[]): string =>
  ordered(lines)
    .map(({ employee_no, pay_code, units_c, rate, amount }) => {
      const byUnits = units_c !== null && units_c !== 0
      const fields = [employer_no, employee_no, pay_code, byUnits ? units_c : '', byUnits ? (rate ?? '') : '', byUnits ? '' : amount]
      return `${fields.join(';')}\r\n`
    })
    .join('')

/** A spreadsheet takes a cell that begins like this for a formula. */
const plain = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
const quoted = (cell: string, separator: string): string =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Two decimals, without a sign of thousands. */
function decimalText(hundredths: number, sign: string): string {
  const digits = String(Math.abs(hundredths)).padStart(3, '0')
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}${sign}${digits.slice(-2)}`
}

export function csvText(
  employer_no: string,
  lines: readonly FileLine[],
  { columns, separator, decimal, header, first_line }: FileFormat,
): string {
  // An amount without units is one unit where the file has no column for it.
  const asUnit = (line: FileLine): FileLine =>
    line.units_c === null && !columns.includes('amount') ? { ...line, units_c: 100, rate: line.amount } : line
  const between = separator === 'tab' ? '\t' : separator
  const cellOf = (line: FileLine, column: FileColumn): string => {
    switch (column) {
      case 'employer':
        return employer_no
      case 'units':
        return line.units_c === null ? '' : decimalText(line.units_c, decimal)
      case 'rate':
        return line.rate === null ? '' : decimalText(line.rate, decimal)
      case 'amount':
        return decimalText(line.amount, decimal)
      case 'name':
      case 'text':
        return plain(line[column])
      default:
        return line[column]
    }
  }
  const rows = ordered(lines).map(line => columns.map(column => quoted(cellOf(asUnit(line), column), between)).join(between))
  return [...(header ? [first_line || columns.join(between)] : []), ...rows].map(row => `${row}\r\n`).join('')
}
