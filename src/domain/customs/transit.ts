/** Goods that cross Sweden or Finland on their way inside Norway are declared with VAT, in kroner of Norway. Source: bring.no. */

export const transitCurrency = 'NOK'
/** Percent, of most goods in Norway; it stands where an order names no rate. */
export const norwegianVat = '25'
