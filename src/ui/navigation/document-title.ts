/** The title of the document, which carries the company's code: `Demo · Orders`. */

export const documentTitle = (companyCode: string, title: string): string =>
  `${companyCode.charAt(0).toUpperCase()}${companyCode.slice(1)} · ${title}`
