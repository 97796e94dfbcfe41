/** Limits and refusals of registration numbers that screens and schemas share. */

export const mostNumbers = 200

export const numberWords = {
  country: 'Choose a country',
  form: 'Enter the number in the form of its kind and country',
  period: 'The last day is before the first.',
} as const
