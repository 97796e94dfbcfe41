/** Goods that cross Sweden or Finland on their way inside Norway are declared with VAT, in kroner of Norway. Source: bring.no. */

export const transitCurrency = 'NOK'
/** Of most goods in Norway; it stands where an order names no rate. */
const norwegianVat = '25'

/** Minor units with VAT, half up. `percent` is decimal text. */
export function withVat(amount: number, percent: string | null): number {
  const hundredths = Math.round(Number(percent ?? norwegianVat) * 100)
  return Number((BigInt(amount) * BigInt(10_000 + hundredths) * 2n + 10_000n) / 20_000n)
}
