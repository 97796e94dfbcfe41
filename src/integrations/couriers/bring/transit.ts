/**
 * Goods in transit through Sweden or Finland, type `NVIT`. Bring publishes the names only in its OpenAPI document; two open-source modules
 * for shops that read it agree on them, and its own pages name `customsInformation`, `consent` and `natureOfCargo`.
 */
import { fromMinor } from '#domain/money.ts'
import type { BookingRequest } from '../courier.ts'
import { cutAtWord, kilograms } from '../request-parts.ts'

export function transitBody({ parcels, operation }: BookingRequest): object {
  return {
    type: 'NVIT',
    consent: true,
    natureOfCargo: { type: operation === 'return' ? 'RETURNED_GOODS' : 'SALE_OF_GOODS' },
    customsDeclarations: parcels
      .flatMap(one => one.lines)
      .map(({ quantity, description, hs_code, net_weight_g, gross_weight_g, transit_value }) => ({
        numberOfPieces: quantity,
        goodsDescription: cutAtWord(description, 100),
        ...(hs_code && { customsArticleNumber: hs_code.slice(0, 10) }),
        ...(net_weight_g && { netWeight: kilograms(net_weight_g), grossWeight: kilograms(gross_weight_g ?? net_weight_g) }),
        ...(transit_value && { amount: Number(fromMinor(transit_value.amount, transit_value.currency)), currency: transit_value.currency }),
        // The goods are cleared, or were never abroad.
        countryCodeOrigin: 'NO',
      })),
  }
}
