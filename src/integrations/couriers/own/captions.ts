/** The captions printed on `own` labels, in the five languages of the product. */

export interface Captions {
  from: string
  to: string
  order: string
  reference: string
  parcel: string
  weight: string
  service: string
  service_point: string
  route: string
  cage: string
  cut_off: string
  van: string
  pickup: string
  label: string
}

export const captions = {
  en: {
    from: 'From',
    to: 'To',
    order: 'Order',
    reference: 'Ref.',
    parcel: 'Parcel',
    weight: 'Weight',
    service: 'Service',
    service_point: 'Service point',
    route: 'Route',
    cage: 'Cage',
    cut_off: 'Cut-off',
    van: 'Own delivery',
    pickup: 'Collect in shop',
    label: 'Label',
  },
  da: {
    from: 'Fra',
    to: 'Til',
    order: 'Ordre',
    reference: 'Ref.',
    parcel: 'Pakke',
    weight: 'Vægt',
    service: 'Levering',
    service_point: 'Udleveringssted',
    route: 'Rute',
    cage: 'Bur',
    cut_off: 'Senest',
    van: 'Egen levering',
    pickup: 'Afhentes i butik',
    label: 'Label',
  },
  de: {
    from: 'Von',
    to: 'An',
    order: 'Bestellung',
    reference: 'Ref.',
    parcel: 'Paket',
    weight: 'Gewicht',
    service: 'Versandart',
    service_point: 'Abholstelle',
    route: 'Tour',
    cage: 'Rollbehälter',
    cut_off: 'Bestellschluss',
    van: 'Eigene Zustellung',
    pickup: 'Abholung im Laden',
    label: 'Etikett',
  },
  no: {
    from: 'Fra',
    to: 'Til',
    order: 'Ordre',
    reference: 'Ref.',
    parcel: 'Pakke',
    weight: 'Vekt',
    service: 'Levering',
    service_point: 'Utleveringssted',
    route: 'Rute',
    cage: 'Bur',
    cut_off: 'Frist',
    van: 'Egen levering',
    pickup: 'Hentes i butikk',
    label: 'Etikett',
  },
  sv: {
    from: 'Från',
    to: 'Till',
    order: 'Order',
    reference: 'Ref.',
    parcel: 'Paket',
    weight: 'Vikt',
    service: 'Leverans',
    service_point: 'Utlämningsställe',
    route: 'Rutt',
    cage: 'Bur',
    cut_off: 'Senast',
    van: 'Egen leverans',
    pickup: 'Hämtas i butik',
    label: 'Etikett',
  },
}
