/** Addresses that the demo's office sends from and to again and again – all invented. */
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'

const aarhus = { postcode: '8000', city: 'Aarhus C', country: 'DK' }

export async function buildAddressBook({ database }: Services, scope: TenantScope): Promise<void> {
  await database.transaction(scope, db =>
    db
      .insertInto('predefined_addresses')
      .values([
        { kind: 'sender', title: 'Warehouse Aarhus', name: 'Pakhus Demo Aarhus', address1: 'Havnegade 12', ...aarhus },
        {
          ...{
            kind: 'sender',
            title: 'Showroom',
            name: 'Pakhus Demo Showroom',
            address1: 'Vestergade 3',
            postcode: '5000',
            city: 'Odense C',
          },
          country: 'DK',
        },
        {
          ...{ kind: 'recipient', title: 'Repair centre', name: 'Værksted Sydhavn', company: 'Fix Demo A/S', attention: 'Reception' },
          ...{ address1: 'Sydhavnsgade 16', postcode: '2450', city: 'København SV', country: 'DK', phone: '+45 20 11 22 33' },
          ...{ email: 'reception@fix.example', instruction: 'Gate 2, ring the bell' },
        },
        { kind: 'recipient', title: 'Photo studio', name: 'Studio Nord', address1: 'Mejlgade 40', ...aarhus, email: 'studio@nord.example' },
        {
          ...{ kind: 'recipient', title: 'Supplier Hamburg', name: 'Demo Textil GmbH', address1: 'Speicherstraße 8', postcode: '20457' },
          ...{ city: 'Hamburg', country: 'DE', phone: '+49 40 123456' },
        },
        {
          ...{ kind: 'recipient', title: 'Recycling', name: 'Genbrug Demo', address1: 'Industrivej 5', postcode: '4600', city: 'Køge' },
          country: 'DK',
        },
      ])
      .execute(),
  )
}
