import type { Language } from '../language.ts'

export const galician: Language = {
  code: 'código, códigos, clave',
  password: 'contrasinal, contrasinais',
  verificationCode: 'contrasinal dun só uso, contrasinal temporal',
  verify: 'verific*, autentic*, validar, validació, activar, activació, activeu, activa el',
  confirm: 'confirm*',
  signIn: 'iniciar sesión, inicio de sesión, inicia sesión, entrar',
  reset: 'restablec*, recuper*, novo contrasinal',
  secret: 'seguranza, seguridade, un só uso, díxitos, temporal, identif*, rexistr*',
  access: 'acceso',
  otherwise: 'postal, desconto, promocional, barras, erro, reserva',
  yours: 'teu, seu, o, este, seguinte',
  is: 'é, é o, seguinte',
  enter: 'introduce, introduza, escribe, usa, utiliza',
  names: 'pedido, factura, conta, teléfono, número',
  time: 'minuto, minutos, hora, horas, día, días, segundos',
  warns: 'caduca, válido, non o compartas, non compartas, ignora',
  offer: 'desconto*',
  links: {
    confirm: 'confirm(?!ad[oa])|verific(?!ad[oa])|activar|activa (?:a|o)\\b',
    sign_in: 'inici(?:ar?|e) sesi|accede',
    reset: 'restabl|recuper|(?:nova|cambi\\w+) .{0,12}contrasinal',
    invite: 'invitación|convid(?:ad|ou)',
    join: 'acept|únete',
  },
}
