/** Where parcels of test companies come from: without it no label is made. */
export const sender = {
  name: 'Depot',
  address1: 'Havnegade 1',
  address2: '',
  postcode: '5000',
  city: 'Odense',
  country: 'DK',
  phone: '',
  email: '',
}
