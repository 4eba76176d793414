/** Spanish phrases of instructions. */
import type { InstructionTables } from '../tables.ts';

export const instructions: InstructionTables = {
  words: {
    report: 'informe, el informe, reporte, el reporte, documento, el documento',
    fill: 'rellenar, rellene, rellena, completar, complete, completa',
    with: 'con, como, por, a, es',
    field: 'el campo, campo, el campo de, campo de',
    replace: `
      cambie, cambiar, cambia, reemplace, reemplazar, reemplaza, remplace, sustituya, sustituir, sustituye, corrija, corregir,
      corrige, modifique, modificar, modifica, ajuste, ajustar, altere
    `,
    by: 'por, a, con, para, por el, por la, al, por lo siguiente, con lo siguiente',
    delete: `
      borre, borrar, borra, elimine, eliminar, elimina, quite, quitar, quita, suprima, suprimir, suprime, retire, retirar, retira,
      remueva, remover, remueve, tache, tachar, limpie, limpiar, vacíe, vaciar, saque, sacar
    `,
    add: `
      agregue, agregar, agrega, añada, añadir, añade, incluya, incluir, incluye, inserte, insertar, inserta, ponga, poner, pon,
      escriba, escribir, escribe, coloque, colocar, coloca, anote, anota, adicione, adicionar, nueva frase, nueva línea
    `,
    put: 'ponga, poner, pon, escriba, escribe, use, coloque, coloca, debe decir, debería decir, es, diga, debe ser',
    rewrite: 'reescriba, reescribir, reescribe, redacte, rehaga, rehacer',
    as: 'como, así, por, a',
    becomes:
      'debe ser, debe decir, debería ser, debería decir, pasa a ser, queda, queda así, ahora es, será, debe quedar',
    make: 'ponlo, póngalo, ponlo como, déjalo, déjelo, déjalo en, cámbialo a, cámbielo a, cámbialo por, que sea, debe ser, hazlo, es, es de, es del, es de la, es en, cambie a, cambia a',
    is: `
      es, son, está, están, queda, debe ser, debería ser, en realidad es, mide, miden, tiene, en realidad mide, debe medir,
      es de, correcto es, correcta es
    `,
    not: 'no, y no, no es, no son',
    undo: `
      deshacer, deshaga, deshaz, deshace, revertir, revierta, revierte, volver, volver atrás, vuelva atrás, vuelve atrás, vuelve, vuelva,
      cancelar, cancele, cancela, anular, anule, anula, restaurar, restaure, restaura, olvidar, olvide, olvida, ignorar, ignore,
      ignora, descartar, descarte, descarta, desestimar, desestime, tache, tacha, deshazlo, deshágalo, deshacerlo, bórralo,
      bórrelo, borrarlo, elimínalo, elimínelo, eliminarlo, quítalo, quítelo, quitarlo, anúlalo, anúlelo, cancélalo, cancélelo,
      olvídalo, olvídelo, reviértelo, reviértalo, déjalo como estaba, déjelo como estaba, ponlo como estaba, póngalo como estaba,
      un paso atrás
    `,
    change: `
      eso, esto, aquello, lo último, el cambio, cambio, último cambio, el último cambio, ese cambio, este cambio,
      mi último cambio, el cambio anterior, la corrección, última corrección, la última corrección, esa corrección,
      mi última corrección, la corrección anterior, la modificación, la última modificación, esa modificación, la última edición,
      la instrucción, última instrucción, la última instrucción, mi última instrucción, esa instrucción, la última orden,
      esa orden, el último comando, ese comando, lo que dije, lo que he dicho, lo que acabo de decir, lo que hizo, lo que has hecho,
      lo que ha hecho, como estaba, a como estaba, a lo anterior, lo anterior, lo de antes, a la versión anterior,
      la versión anterior
    `,
    oops: 'no, ay, espera, espere, perdón, perdona, perdone, disculpa, disculpe, ok, vale, un momento, ay no, en realidad',
    but: 'pero es, pero era, pero lo correcto es, pero debe ser, pero quise decir, sino, sino que, pero, es, son, mide, tiene',
    last: 'la última, última, el último, último',
    sentence: 'frase, oración, línea, sentencia, la frase, la oración, la línea',
    of: 'de, del, de la, de los, de las, en, en el, en la, en los, en las, de la sección',
    about: `
      sobre, sobre el, sobre la, sobre los, sobre las, que habla de, que habla del, que menciona, que menciona el, que menciona la,
      con, del, de la, de, de los, de las, que dice, que contiene, referente al, referente a la, relativa al, acerca de, acerca del
    `,
    whole: `
      toda la, todo el, todos los, todas las, la sección, la sección de, el campo, toda la sección, el texto de la, el texto de los, el texto del,
      el contenido de la, el contenido de los, el apartado
    `,
    mention:
      'palabra, palabras, expresión, término, la mención de, la mención a, la mención al, la mención del, la palabra, la expresión, el término, las palabras, la referencia a, la referencia al, el texto',
    side: 'el lado, lado, la lateralidad, lateralidad, el lado correcto',
    size: `
      la fecha, fecha, 
      el tamaño, tamaño, la medida, medida, las medidas, medidas, la dimensión, dimensión, las dimensiones, dimensiones, el diámetro,
      diámetro, el grosor, grosor, el espesor, espesor, el volumen, volumen, el valor, valor
    `,
    where: 'donde dice, donde está, donde pone, donde está escrito, donde dije, donde se lee, donde hay',
    read: 'debe decir, debería decir, léase, ponga, escriba, debe ser, debería ser, cambie por, es, pon, ponga, poner, escribe, coloca, coloque, quise decir, quería decir, era, tenía que ser',
    instead: 'en lugar de, en vez de, y no, en lugar del, en vez del',
    before: 'antes de, antes del, antes de la, antes de los, antes de las, antes de la palabra, delante de',
    after:
      'después de, después del, después de la, tras, tras el, tras la, después de los, después de las, después de la palabra, luego de',
    beginning: `
      al inicio de, al inicio del, al inicio de la, al inicio de los, al principio de, al principio del, al principio de la, al principio de
      los, al comienzo de la, al comienzo de los, al comienzo de
    `,
    end: 'al final de, al final del, al final de la, al final de los, al final de las, al fin de la',
    to: `
      a, a la, al, a los, a las, en, en la, en el, en los, en las, de la, a la sección, en la sección, en la sección de, a la sección de, en el
      apartado, en el apartado de, en el campo
    `,
    item: 'punto, el punto, puntos, los puntos, punto número, el punto número, ítem, el ítem, ítems, los ítems, número, el número, números, los números',
    between: 'entre, entre el, entre la, entre los, entre las',
    inPlace: 'en su lugar, en lugar, en vez de eso, en cambio',
    at: 'en, en el nivel, en el nivel de, a nivel de, al nivel de',
    and: 'y, con, por',
    swap: 'intercambia, intercambie, intercambiar, invierte, invierta, invertir, cambia, cambie, permuta',
    top: 'al inicio, al principio, al comienzo, arriba, a primero, al primer lugar, al número uno, al tope',
    bottom: 'al final, al fin, abajo, al último lugar, al último',
    level: 'el nivel, nivel, los niveles, niveles, la vértebra, el segmento',
    move: 'mueva, mover, mueve, pase, pasar, pasa, lleve, llevar, lleva',
    copy: 'copie, copiar, copia, duplique, duplicar',
    line: 'una línea, una frase, un punto, una nueva línea, una nueva frase, un nuevo punto, otra frase, otro punto, una oración',
    said: 'dije, he dicho, yo dije, escribí, he escrito, puse, está escrito, quedó',
    that: 'que, diciendo, que diga, que dice, así, lo siguiente, la frase, el texto, el siguiente texto, la siguiente frase',
  },
  polite: 'vale, ok, favor de, puede, podría, puedes, podrías, quiero, quisiera, quiero que, necesito que, ahora',
  courtesies: 'por favor, gracias, muchas gracias, mil gracias',
  then: 'y, y después, después, luego, y luego, y también, también, entonces, y además, además',
  starts: `
    rellenar, rellene, completar, donde dice, donde está, saque, cambie, cambiar, reemplace, reemplazar, sustituya, sustituir, corrija, corregir, borre, borrar, elimine, eliminar,
    quite, quitar, suprima, retire, agregue, agregar, añada, añadir, incluya, incluir, inserte, insertar, reescriba, deshaga,
    deshacer, cambia, reemplaza, sustituye, corrige, borra, elimina, quita, agrega, añade, ponga, modifique, pon, incluye, inserta, mueve, mueva, copia, copie, pasa, pase, suprime, retira, escribe, escriba,
    coloca, coloque, modifica, intercambia, deshaz, quite
  `,
  inSection: `
    en, en el, en la, en los, en las, de, del, de la, de los, de las, en la sección, en la sección de, en el campo, en el apartado, en el apartado de,
    de la sección, tanto en los, tanto en la, como en la, como en los, así como en, así como en el, así como en la, así como en los, así como en las, a, al, a la, a los, a las
  `,
  and: 'y, y en, y en la, y en los, y en el, e, y también en, y la, y los, así como, así como en, así como en la',
  all: `
    todos los, todas las, todo, toda, todas las ocurrencias de, todas las apariciones de, cada
  `,
  everywhere: `
    en todo el informe, en todo el texto, en todas partes, en todas las secciones, todas las veces, siempre,
    en todo el documento, en el informe completo, en todo el reporte, en todos los lugares, en todas las ocurrencias, en ambos, en ambas, en los dos, en las dos, en ambas secciones
  `,
  also: 'también, y también, igualmente, así mismo, asimismo',
  only: 'solo, solamente, únicamente, pero solo, pero solamente, y solo, nada más',
  except: 'excepto, menos, salvo, pero no, no, en vez, sino, a no ser, y nada más, fuera',
  otherVerbs: `
    mueva, mover, mueve, copie, copiar, copia, pegue, pegar, pega, duplique, duplicar, subraye, subrayar, resalte, resaltar,
    formatee, deletree, deletrear, lea, leer, lee, firme, firmar, firma, guarde, guardar, guarda, envíe, enviar, envía, imprima,
    imprimir, exporte, exportar, finalice, finalizar, junte, juntar, separe, separar, divida, ordene, repita, repetir, muestre,
    mostrar, muestra, abra, abrir, cierre, cerrar, pare, parar, compruebe, verifique, explique, resuma, traduzca, pase, pasar, lleve,
    llevar, borre, borrar, borra, elimine, eliminar, cambie, cambiar, sustituya, sustituir, agregue, agregar, añada, añadir, deshaga
  `,
  articles: 'el la los las un una',
  dangling: 'de del en con sin por para a al el la los las y e o u no hay un una',
  opening: 'no hay',
  signs: 'signo signos evidencia evidencias dato datos indicio indicios',
  nth: {
    primer: 1,
    'el primer': 1,
    segundo: 2,
    'el segundo': 2,
    tercer: 3,
    'el tercer': 3,
    cuarto: 4,
    'el cuarto': 4,
    quinto: 5,
    'el quinto': 5,
    sexto: 6,
    'el sexto': 6,
    primera: 1,
    segunda: 2,
    tercera: 3,
    cuarta: 4,
    quinta: 5,
    sexta: 6,
    séptima: 7,
    octava: 8,
    'la primera': 1,
    'la segunda': 2,
    'la tercera': 3,
    'la cuarta': 4,
    'la quinta': 5,
    penúltima: -2,
    'la penúltima': -2,
  },
  answers: {
    not_understood: 'No entendí la instrucción; no se cambió nada. ¿Qué debe cambiar, y a qué?',
    unclear: 'No está claro cómo debe escribirse “{what}”; no se cambió nada. ¿Qué debe decir la frase?',
    unit: 'Con “{what}” un número perdería su unidad, o una unidad su número; no se cambió nada. ¿Qué número, con qué unidad?',
    not_found: 'No encontré “{what}” en el informe; no se cambió nada.',
    several: '“{what}” está en {count} lugares. ¿En cuál?',
    negation: 'Esto solo quitaría una negación (“{what}”). ¿De verdad debe afirmarse el hallazgo?',
    which_section: '¿En qué sección debo escribir “{what}”?',
    dangling: 'Sin “{what}” la frase quedaría incompleta. ¿Borro la frase entera?',
    signs: 'signo signos evidencia evidencias dato datos indicio indicios',
    nothing: 'El informe ya dice eso; no se cambió nada.',
    edited_since:
      'Las mismas palabras se editaron después de la última instrucción; no se cambió nada. ¿Qué deben decir ahora?',
    nothing_to_undo:
      'Ninguna instrucción ha cambiado este informe todavía; no se cambió nada. ¿Qué debe cambiarse o borrarse?',
  },
};
