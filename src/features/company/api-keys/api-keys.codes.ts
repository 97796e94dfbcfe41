/** The names under which keys of outside services are kept. */
export const printNodeKey = 'printnode'
export const googleMapsKey = 'google_maps'
