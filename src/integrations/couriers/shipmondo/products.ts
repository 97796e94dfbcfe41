/** The products of a Shipmondo account as methods. */
import type { Method, Service } from '../courier.ts'
import type { Product } from './shipmondo.schemas.ts'

/** Grams, where Shipmondo names no interval of weights. */
const noLimit = 100_000

/** A code that stands in paths and lists without being mistaken for something else. */
const plainCode = /^[A-Za-z0-9_-]{1,60}$/

type Need = NonNullable<Method['needs']>[number]
const fieldNeeds: Readonly<Record<string, Need>> = {
  receiver_mobile: 'phone',
  receiver_phone: 'phone',
  receiver_telephone: 'phone',
  receiver_email: 'email',
}
const sizes = ['length', 'width', 'height']

function needsOf(product: Product): Need[] {
  const fields = [...product.required_fields, ...(product.required_services ?? []).flatMap(one => one.required_fields)]
  const needs = fields.flatMap(field => fieldNeeds[field] ?? [])
  if (product.required_parcel_fields.some(field => sizes.includes(field))) needs.push('size')
  return [...new Set(needs)]
}

function heaviest({ own }: { own: boolean }, products: readonly Product[]): number {
  const weights = products.flatMap(one => (own ? one.ta_weight_intervals : one.weight_intervals) ?? []).flatMap(one => one.to_weight ?? [])
  return Math.max(0, ...weights.filter(Number.isSafeInteger)) || noLimit
}

function servicesOf(products: readonly Product[], included: readonly string[]): Service[] {
  const known = new Map<string, Service>()
  for (const { code, name } of products.flatMap(one => one.available_services ?? []))
    if (plainCode.test(code) && !included.includes(code)) known.set(code, { code, name: (name ?? code).slice(0, 120), options: [] })
  return [...known.values()].slice(0, 50)
}

/** Products of one code, which Shipmondo lists for each country of the receiver, are one method. */
export function methodsOf(products: readonly Product[], { own }: { own: boolean }): Method[] {
  const usable = products.filter(one => plainCode.test(one.code) && (!own || one.own_agreement_available !== false))
  return [...Map.groupBy(usable, one => one.code)].flatMap(([code, of]): Method[] => {
    const [first] = of
    if (!first) return []
    const countries = [...new Set(of.flatMap(one => one.receiver_country_code ?? []))].filter(country => /^[A-Z]{2}$/.test(country))
    // A service that only some of the countries ask for is left to Shipmondo, which refuses and says so.
    const included = (first.required_services ?? [])
      .map(one => one.code)
      .filter(one => plainCode.test(one) && of.every(product => product.required_services?.some(service => service.code === one)))
    const needs = needsOf(first).filter(need => of.every(product => needsOf(product).includes(need)))
    const points = of.some(one => one.service_point_required || one.service_point_available)
    return [
      {
        code,
        name: [first.carrier?.name, first.name].filter(Boolean).join(' ').slice(0, 120),
        service_point: points ? 'optional' : 'none',
        max_weight_g: heaviest({ own }, of),
        countries: of.some(one => !one.receiver_country_code) ? 'all' : countries,
        services: servicesOf(of, included),
        ...(needs.length > 0 && { needs }),
        ...(included.length > 0 && { included }),
      },
    ]
  })
}
