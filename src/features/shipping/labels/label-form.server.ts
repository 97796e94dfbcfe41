/** The form that makes a label: its fields by a courier's capabilities, and a sent request as the form that sends it again. */
import type * as z from 'zod'
import { customsReasons, extraRoles } from '#domain/consignment.ts'
import type { BookingRequest, Capabilities, Method } from '#integrations/couriers/courier.ts'
import type { LabelForm } from './labels.schemas.ts'

interface Field {
  name: string
  type: 'text' | 'number' | 'flag' | 'choice' | 'date' | 'time'
  required: boolean
  options?: readonly string[]
}
interface Section {
  name: string
  fields: Field[]
}

const field = (name: string, type: Field['type'], required = false, options?: readonly string[]): Field => ({
  name,
  type,
  required,
  ...(options && { options }),
})

const partyFields = (needs: Capabilities['needs'], role: string): Field[] => [
  field('name', 'text', true),
  ...['company', 'attention'].map(name => field(name, 'text')),
  field('address1', 'text', true),
  field('address2', 'text'),
  field('postcode', 'text', true),
  field('city', 'text', true),
  field('country', 'text', true),
  ...(['phone', 'email'] as const).map(name => field(name, 'text', role === 'recipient' && needs.includes(name))),
  field('instruction', 'text'),
]

/** Only what the courier takes; a section that is absent must stay empty. */
export function formSections(capabilities: Capabilities, method: Method, operation: BookingRequest['operation']): Section[] {
  const { customs, documents, pickups } = capabilities
  const needs = [...capabilities.needs, ...(method.needs ?? [])]
  const parties = ['sender', 'recipient', ...extraRoles.filter(role => capabilities.parties.includes(role))]
  return [
    ...parties.map(name => ({ name, fields: partyFields(needs, name) })),
    {
      name: 'parcels',
      fields: [
        field('weight_g', 'number', needs.includes('weight')),
        field('size_mm', 'number', needs.includes('size')),
        field('crate', 'text'),
      ],
    },
    {
      name: 'lines',
      fields: [
        ...['sku', 'description'].map(name => field(name, 'text', name === 'description')),
        field('quantity', 'number', true),
        ...['hs_code', 'origin'].map(name => field(name, 'text')),
        field('value', 'number'),
        field('net_weight_g', 'number'),
      ],
    },
    ...(operation === 'outbound' && method.service_point !== 'none'
      ? [{ name: 'service_point', fields: [field('id', 'text', method.service_point === 'required')] }]
      : []),
    ...method.services.map(service => ({
      name: `services.${service.code}`,
      fields: service.options.map(option =>
        field(option.name, option.choices ? 'choice' : option.type, option.required ?? false, option.choices),
      ),
    })),
    ...(customs
      ? [
          {
            name: 'customs',
            fields: [
              field('reason', 'choice', true, customsReasons),
              field('terms', 'text'),
              field('numbers', 'choice', false, customs.numbers),
              field(
                'documents',
                'choice',
                false,
                documents.filter(kind => kind !== 'label'),
              ),
            ],
          },
        ]
      : []),
    { name: 'references', fields: [field('reference', 'text')] },
    ...(pickups !== 'with_booking'
      ? []
      : [{ name: 'pickup', fields: [field('date', 'date', true), field('from', 'time', true), field('to', 'time', true)] }]),
  ]
}

type Form = z.input<typeof LabelForm>

/** What the form holds before anything is written into it. */
export const emptyForm = (sender: BookingRequest['parties']['sender'], operation: BookingRequest['operation']): Form => ({
  order_id: null,
  reference: null,
  sender: operation === 'return' ? null : sender,
  recipient: operation === 'return' ? sender : null,
  return_to: null,
  importer: null,
  payer: null,
  service_point: null,
  parcels: [{ size_mm: null, crate: null, lines: [] }],
  services: [],
  customs: null,
  pickup: null,
  ship_date: null,
  locale: null,
  printer_id: null,
})

/** The form that asks for the same again, without keys, numbers and settings of the first time. */
export function formOf(request: BookingRequest, order_id: number | null): Form {
  const { parties, parcels, order_no, service_point, services, customs, pickup, ship_date, locale } = request
  return {
    order_id,
    reference: order_no,
    ...parties,
    service_point,
    parcels: parcels.map(({ weight_g, size_mm, crate, lines }) => ({
      weight_g,
      size_mm: size_mm && [...size_mm],
      crate,
      lines: lines.map(({ gross_weight_g: _gross, manufacturer_no: _maker, gtin: _gtin, transit_value: _transit, ...line }) => line),
    })),
    services,
    customs,
    pickup,
    ship_date,
    locale: locale || null,
    printer_id: null,
  }
}
