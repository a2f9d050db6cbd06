import type { Language } from '../language.ts'

export const spanish: Language = {
  code: 'código, códigos, codigo, codigos, clave, claves',
  password: 'contraseña, contraseñas',
  key: 'llave, token, ficha',
  verificationCode: `
    contraseña de un solo uso, contraseña temporal, contraseña de uso único, clave dinámica,
    clave temporal, clave de un solo uso, clave única, contraseña provisional, número de verificación,
    palabra de acceso, palabra secreta, frase secreta, palabra de paso
  `,
  verify: `
    verific*, autentic*, activac*, activar, valida, validac*, validar, dos pasos, dos factores,
    activa tu, activa la
  `,
  confirm: 'confirm*',
  signIn: 'iniciar sesión, inicia sesión, inicio de sesión, iniciar, entrar, ingresar',
  reset: 'restablec*, reestablec*, nueva contraseña, olvidaste',
  secret: `
    segurid*, un solo uso, uso único, único, dígitos, identi*, recuper*, temporal, secreto, secreta,
    registrarte, registro
  `,
  access: 'acceso, acceder',
  purpose: 'confirma tu, confirma su, confirma que, confirmar tu, confirmar su, confirmar que, confirme su',
  otherwise: `
    postal, descuento, promocional, barras, qr, error, fuente, reserva, producto, seguimiento, cliente,
    país, regalo, referido, invitado, área, color, vestimenta, cupón, recogida, amigo, promo,
    referencia, afiliado, compra, conducta
  `,
  yours: 'tu, su, el, la, este, esta, siguiente, un, una, tus, nuevo',
  is: 'es, como, son, siguiente, es el, es la',
  enter: `
    introduce, introduzca, ingresa, ingrese, usa, use, utiliza, utilice, escribe, escriba, teclea,
    digita, digite, pon
  `,
  names: `
    pedido, factura, cliente, cuenta, referencia, seguimiento, tel, teléfono, llama, llama al, número,
    núm, nº, tarjeta, terminada en, terminado en, termina en, desde, vuelo, asiento, habitación,
    reserva, expediente, cp, nif, cif, postal, localizador
  `,
  time: 'minuto, minutos, min, hora, horas, día, días, segundo, segundos',
  unit: 'semanas, semana, mes, meses, año, años, euro, euros, pesos, punto, puntos, personas, veces',
  warns: `
    válido, vence, caduca, expira, no compartas, no comparta, no lo compartas, no solicitaste,
    no has solicitado, no solicitó, ignora, ignore este, no lo comparta
  `,
  offer: 'descuento*, cupón*, regalo, amigos',
  booking: 'vuelo*, reserva, alojamiento',
  meeting: 'reunión*, videollamada',
  links: {
    confirm:
      'confirm(?!ad[oa]|ación (?:de|del) (?:su |tu )?(?:pedido|compra|reserva))|verific(?!ad[oa])|activar|activa (?:tu|la|su|el|mi)\\b|active (?:su|la)\\b|activación|validar|valida (?:tu|la|el)\\b|valide su|complet\\w+ .{0,8}registro',
    sign_in:
      'inici(?:ar?|e|o) (?:de )?sesi|acced(?:e|er|a)\\b|entrar\\b|entra en|ingres(?:a|ar|e)\\b|enlace mágico|enlace de acceso',
    reset:
      'restablec|reestablec|recuper(?:ar|a|e|ación)|(?:nueva|cambi\\w+|crea\\w*|elige|elija|elegir|olvid\\w+) .{0,12}contraseña|contraseña olvidada|reiniciar',
    invite: 'invitación|invitad[oa]|te (?:ha )?invit|le (?:ha )?invit|te invita',
    join: 'acept|unirse|únete|unirte|únase|incorpora',
    deny: '\\bsi .{0,50}\\bno\\b|no (?:has|ha|fuiste|fue|solicit)|no eres tú',
    report:
      '(?:contraseña|cuenta|dirección)\\b.{0,40}(?:ha sido|fue|se ha|cambiad|actualizad)|(?:nuevo|reciente) (?:inicio|acceso|dispositivo)',
    unsubscribe: 'desinscri|darse de baja|date de baja|cancelar (?:la |tu )?suscripción',
    legal: 'privacidad|aviso legal|ver\\b.{0,25} navegador|versión (?:web|online|en línea)',
  },
}
