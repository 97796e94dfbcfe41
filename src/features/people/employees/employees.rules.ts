/** Ages, by calendar days. */

/** The day of the 18th birthday; someone born on 29 February has it on 1 March of a year without that day. */
const adultFrom = (birth_date: string): string => {
  const year = Number(birth_date.slice(0, 4)) + 18
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const rest = birth_date.slice(4)
  return `${year}${rest === '-02-29' && !leap ? '-03-01' : rest}`
}

/** Whether someone born then is a minor on that day. Without a date of birth a person counts as an adult. */
export const isUnder18 = (birth_date: string | null, day: string): boolean => birth_date !== null && day < adultFrom(birth_date)
