/** What a courier's capabilities refuse in a booking request, before anything is sent to it. */

import type { ErrorCode } from '#contract/error-codes.ts'
import { interpolate } from '#contract/errors.ts'
import { extraRoles } from '#domain/consignment.ts'
import { type BookingDraft, type Capabilities, CourierRefused, type Finding, type Method, type Service } from './courier.ts'

/** The problems of a request with these capabilities; the order is that of the form. */
export function capabilityFindings(capabilities: Capabilities, request: BookingDraft): Finding[] {
  const methods = request.account_method ? [request.account_method] : capabilities.methods
  const method = methods.find(one => one.code === request.method)
  if (!method)
    return [
      errorFinding('shipping_method_not_offered', '{{courier}} has no shipping method {{shipping_method}}', 'shipping_method', {
        courier: capabilities.name,
        shipping_method: request.method,
      }),
    ]
  return [
    ...operationFindings(capabilities, request),
    ...partyFindings(capabilities, method, request),
    ...servicePointFindings(method, request),
    ...parcelFindings(capabilities, method, request),
    ...serviceFindings(capabilities, method, request),
    ...customsFindings(capabilities, request),
    ...pickupFindings(capabilities, request),
  ]
}

/** What an adapter, and a fake as its courier would, does first with a request: throws the first problem. */
export function refuseUnsupported(
  capabilities: Capabilities,
  request: BookingDraft,
  /** The adapter's own check, which comes second. */
  validate: (request: BookingDraft) => Finding[] = () => [],
): void {
  const isError = (finding: Finding) => finding.severity === 'error'
  const wrong = capabilityFindings(capabilities, request).find(isError) ?? validate(request).find(isError)
  if (wrong) throw new CourierRefused(interpolate(wrong.text, wrong.values ?? {}), wrong.field, wrong.code)
}

function operationFindings(
  { name: courier, operations, return_qr, sizes }: Capabilities,
  { operation, label, qr }: BookingDraft,
): Finding[] {
  const findings: Finding[] = []
  if (!operations.includes(operation) || (qr && (operation !== 'return' || !return_qr)))
    findings.push(errorFinding('operation_not_offered', '{{courier}} does not offer this operation', 'operation', { courier }))
  if (!sizes[label.format])
    findings.push(errorFinding('label_format_not_offered', '{{courier}} makes no labels in this format', 'label.format', { courier }))
  return findings
}

function partyFindings(
  { name: courier, needs, parties: carried }: Capabilities,
  method: Method,
  { parties, operation }: BookingDraft,
): Finding[] {
  const findings: Finding[] = []
  for (const role of extraRoles)
    if (parties[role] && !carried.includes(role))
      findings.push(errorFinding('party_not_carried', '{{courier}} does not take this party: {{role}}', role, { courier, role }))
  const { country } = parties.recipient
  if (!/^[A-Z]{2}$/.test(country))
    findings.push(
      errorFinding('country_code_invalid', 'The country {{country}} is not a code of two letters', 'recipient.country', { country }),
    )
  const far = operation === 'return' ? 'sender' : 'recipient'
  if (method.countries !== 'all' && !method.countries.includes(parties[far].country))
    findings.push(
      errorFinding('country_not_served', '{{method}} does not go to or from {{country}}', `${far}.country`, {
        method: method.name,
        country: parties[far].country,
      }),
    )
  const needed = [...needs, ...(method.needs ?? [])]
  if (needed.includes('phone') && !parties.recipient.phone?.trim())
    findings.push(errorFinding('phone_missing', '{{courier}} needs a phone number of the recipient', 'recipient.phone', { courier }))
  if (needed.includes('email') && !parties.recipient.email?.trim())
    findings.push(errorFinding('email_missing', '{{courier}} needs an email address of the recipient', 'recipient.email', { courier }))
  if (needed.includes('contact') && !parties.recipient.phone?.trim() && !parties.recipient.email?.trim())
    findings.push(
      errorFinding('contact_missing', '{{courier}} needs a phone number or an email address of the recipient', 'recipient.phone', {
        courier,
      }),
    )
  return findings
}

/** A return begins where the sender hands it in. */
function servicePointFindings(method: Method, { operation, service_point }: BookingDraft): Finding[] {
  return operation === 'outbound' && method.service_point === 'required' && !service_point
    ? [errorFinding('service_point_missing', '{{method}} needs a parcel shop. Select one.', 'service_point', { method: method.name })]
    : []
}

function parcelFindings({ name: courier, needs, parcels_per_call }: Capabilities, method: Method, { parcels }: BookingDraft): Finding[] {
  const findings: Finding[] = []
  const needed = [...needs, ...(method.needs ?? [])]
  if (parcels.length === 0 || parcels.length > parcels_per_call)
    findings.push(
      errorFinding('too_many_parcels', '{{courier}} takes 1 to {{limit}} parcels in one booking', 'parcels', {
        courier,
        limit: parcels_per_call,
      }),
    )
  for (const [i, { weight_g, size_mm, parcel_no, parcel_count }] of parcels.entries()) {
    if (!Number.isSafeInteger(weight_g) || weight_g < 0)
      findings.push(errorFinding('parcel_weight_invalid', 'The weight must be a whole number of grams', `parcels.${i}.weight_g`))
    else if (weight_g > method.max_weight_g)
      findings.push(
        errorFinding(
          'parcel_too_heavy',
          'The parcel weighs {{weight}} kg; {{method}} takes {{limit}} kg at most',
          `parcels.${i}.weight_g`,
          {
            weight: weight_g / 1000,
            method: method.name,
            limit: method.max_weight_g / 1000,
          },
        ),
      )
    else if (weight_g === 0 && needed.includes('weight'))
      findings.push(errorFinding('weight_missing', '{{courier}} needs the weight of the parcel', `parcels.${i}.weight_g`, { courier }))
    if (!size_mm && needed.includes('size'))
      findings.push(
        errorFinding('size_missing', '{{courier}} needs length, width and height of the parcel', `parcels.${i}.size_mm`, { courier }),
      )
    const last = parcel_count ?? parcel_no
    if (!Number.isSafeInteger(parcel_no) || !Number.isSafeInteger(last) || parcel_no < 1 || parcel_no > last)
      findings.push(
        errorFinding('parcel_no_invalid', 'There is no parcel {{parcel_no}} of {{parcel_count}}', `parcels.${i}.parcel_no`, {
          parcel_no,
          parcel_count: last,
        }),
      )
  }
  return findings
}

function serviceFindings({ name: courier }: Capabilities, method: Method, { services }: BookingDraft): Finding[] {
  return services.flatMap(({ code, options }, i) => {
    const service = method.services.find(one => one.code === code)
    if (!service)
      return [
        errorFinding('service_not_offered', '{{courier}} does not offer the service {{service}} with {{method}}', `services.${i}.code`, {
          courier,
          service: code,
          method: method.name,
        }),
      ]
    return optionFindings(service, options, `services.${i}.options`)
  })
}

function optionFindings(service: Service, options: Record<string, unknown>, path: string): Finding[] {
  const findings: Finding[] = []
  for (const name of Object.keys(options))
    if (!service.options.some(option => option.name === name))
      findings.push(
        errorFinding('service_option_unknown', 'The service {{service}} has no option {{option}}', `${path}.${name}`, {
          service: service.name,
          option: name,
        }),
      )
  for (const { name, type, required, choices } of service.options) {
    const value = Object.hasOwn(options, name) ? options[name] : undefined
    const types = { text: 'string', number: 'number', flag: 'boolean' } as const
    if (value === undefined ? required : typeof value !== types[type] || (choices && !choices.includes(String(value))))
      findings.push(
        errorFinding('service_option_invalid', 'The service {{service}} needs another value for {{option}}', `${path}.${name}`, {
          service: service.name,
          option: name,
        }),
      )
  }
  return findings
}

function customsFindings({ name: courier, customs: offered, documents }: Capabilities, { customs, parcels }: BookingDraft): Finding[] {
  if (!customs) return []
  if (!offered) return [errorFinding('customs_not_offered', '{{courier}} takes no customs data', 'customs', { courier })]
  const findings: Finding[] = []
  for (const [i, { kind }] of customs.numbers.entries())
    if (!offered.numbers.includes(kind))
      findings.push(
        errorFinding('number_not_carried', '{{courier}} cannot carry a number of the kind {{kind}}', `customs.numbers.${i}.kind`, {
          courier,
          kind,
        }),
      )
  for (const [i, kind] of customs.documents.entries())
    if (!documents.includes(kind))
      findings.push(
        errorFinding('document_not_offered', '{{courier}} does not make the document {{kind}}', `customs.documents.${i}`, {
          courier,
          kind,
        }),
      )
  const lines = Math.max(0, ...parcels.map(parcel => parcel.lines.length))
  if (offered.max_lines !== null && lines > offered.max_lines)
    findings.push(
      errorFinding('too_many_customs_lines', '{{courier}} takes {{limit}} customs lines per parcel at most', 'parcels', {
        courier,
        limit: offered.max_lines,
      }),
    )
  return findings
}

function pickupFindings({ name: courier, pickups }: Capabilities, { pickup }: BookingDraft): Finding[] {
  return pickup && pickups !== 'with_booking'
    ? [errorFinding('pickup_not_offered', 'A pickup cannot be ordered from {{courier}}', 'pickup', { courier })]
    : []
}

/** A problem that keeps the parcel from being booked. */
export function errorFinding(code: ErrorCode, text: string, field: string, values?: Finding['values']): Finding {
  return { code, field, severity: 'error', text, ...(values && { values }) }
}
