// Sounds, made on the spot: a tick for a move, two notes for my turn. Browsers are silent before the first gesture.

export function sounding(on) {
  let audio = null;

  function wake() {
    if (!on()) return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  }

  function note(pitch, after, length, volume) {
    const start = audio.currentTime + after;
    const tone = new OscillatorNode(audio, { frequency: pitch, type: "triangle" });
    const gain = new GainNode(audio, { gain: volume });
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
  }

  const play = (...notes) => on() && audio?.state === "running" && notes.forEach((each) => note(...each));

  for (const gesture of ["pointerdown", "keydown", "change"]) addEventListener(gesture, wake);
  return { move: () => play([880, 0, 0.05, 0.08]), turn: () => play([523, 0, 0.3, 0.15], [784, 0.16, 0.4, 0.15]) };
}
